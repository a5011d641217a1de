import {describe, expect, it} from 'vitest';
import {withWords} from '../../../src/emv.js';
import {errorOf} from '../error-of.js';

const CTQ = '9F6C card transaction qualifiers (CTQ)';

/** What is said of a part among others. */
function said(name: string, value: string, ...others: {name: string; value: string}[]) {
  const [part] = withWords([{name, value}, ...others]);
  return part?.words?.map(({meaning}) => meaning);
}

describe('words of parts', () => {
  it('are those of the tag in the name', () => {
    expect(said('9C transaction type', '20')).toEqual(['refund']);
    expect(said('9C', '20')).toEqual(['refund']);
  });

  it('are not told of other names, of what is encrypted, nor of what is masked', () => {
    expect(said('9C checksum', '20')).toBeUndefined();
    expect(said('9C transaction type, encrypted', '20')).toBeUndefined();
    expect(said('9C transaction type', '**')).toBeUndefined();
    expect(said('9C transaction type', '2')).toBeUndefined();
  });

  it('are chosen by the AID of the same payload', () => {
    const aid = {name: '4F application identifier (AID)', value: 'a0000000041010'};
    const visa = {name: '84 dedicated file name', value: 'a0000000031010'};
    expect(said(CTQ, '4000', visa, aid)).toContain('signature required');
    expect(said(CTQ, '4000', aid)).toBeUndefined();
    expect(said(CTQ, '4000')).toEqual([expect.stringContaining('no AID')]);
  });

  it('leave the other members of a part, and parts without words, as they are', () => {
    const part = {name: 'KSN', value: 'FFFF', offset: 3};
    expect(withWords([part])[0]).toBe(part);
    expect(withWords([{name: '9C', value: '00', offset: 3}])[0]).toMatchObject({offset: 3});
  });

  it.each([undefined, null, 'x', [undefined], [{name: '9C'}], [{value: '00'}]])(
    'are of parts only: %j',
    (given) => {
      expect(errorOf(() => withWords(given as never)).code).toBe(2005);
    },
  );
});
