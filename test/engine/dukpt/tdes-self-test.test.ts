import {describe, expect, it, vi} from 'vitest';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {errorOf} from '../error-of.js';

vi.mock('../../../src/engine/dukpt/key-usage.js', async (original) => ({
  ...(await original<object>()),
  VARIANT_MASKS: {data: '00000000000000FF'},
}));

describe('the self-test of TDES DUKPT', () => {
  it('refuses to derive when known keys come out wrong', () => {
    const {code, detail} = errorOf(() => testKeyRing().transaction(parseKsn('9876543210E00008')));
    expect([code, detail]).toEqual([1, 'TDES DUKPT failed its self-test']);
  });
});
