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
});
