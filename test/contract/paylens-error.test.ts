import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';

describe('PaylensError', () => {
  it('has no stack: it tells of what was given', () => {
    expect(new PaylensError(2101, 'at byte 3').stack).not.toContain('\n');
  });

  it('leaves other errors their stack', () => {
    new PaylensError(2101);
    expect(new Error('defect').stack).toContain('\n');
  });

  it('has the message of the catalogue, then the detail', () => {
    expect(new PaylensError(2101, 'at byte 3').message).toBe('Payload damaged: at byte 3');
  });

  it('has the message of the catalogue alone where there is no detail', () => {
    expect(new PaylensError(2101).message).toBe('Payload damaged');
  });

  it('has the hint of the catalogue', () => {
    expect(new PaylensError(9030).hint).toBe('Run the command again.');
  });

  it('has the hint of the case where it is given', () => {
    expect(new PaylensError(9030, '', {hint: 'Wait.'}).hint).toBe('Wait.');
  });

  it('keeps its cause, code and detail, and has a name', () => {
    const {name, code, detail, cause} = new PaylensError(2101, 'x', {cause: 7});
    expect({name, code, detail, cause}).toEqual({
      ...{name: 'PaylensError', code: 2101, detail: 'x', cause: 7},
    });
  });
});
