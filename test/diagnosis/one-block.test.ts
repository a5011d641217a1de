import {createCipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {encrypt} from '../engine/terminal.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';

/** Tracks whose card number alone is encrypted, of the examples of ABECS 2.12 (5.3.1). */
const RIGHT = 'EA528A43B02652FDEB538B42B12753FC';
const WRONG = '0123456789ABCDEFFEDCBA9876543210';
const TRACKS = [
  ['track 1 with blanks', 'B35716A983F0E4643B^NOME NOME NOME NOME NOME N^0905060640431'],
  ['track 1 with a fill', 'BA4F4729D58CAA7DA^NOME NOME NOME NOME NOME N^0905060640431'],
  ['track 2 with sentinels', ';BC27B145C5DE8BEB=09050606404312376450?'],
  ['track 2 with a fill', '1CCE9197C5C6E3FF=09050606404312376450123'],
  ['members', '{"track2":"BC27B145C5DE8BEB=09050606404312376450"}'],
] as const;

/** One block under the right key, by node:crypto. */
function block(digits: string): string {
  const key = Buffer.from(RIGHT + RIGHT.slice(0, 16), 'hex');
  const cipher = createCipheriv('des-ede3', key, null).setAutoPadding(false);
  return cipher.update(digits, 'hex', 'hex').toUpperCase();
}

const few = {usualOnly: true};

describe.each(TRACKS)('a card number encrypted alone, %s,', (_, payload) => {
  it('is opened by its working key, with the command for it', async () => {
    const keys = [{kind: 'working', hex: RIGHT}] as const;
    const found = await diagnoseJson({payload, keys}, few);
    expect(found.solved).toBe(true);
    expect(found.solution).toMatchObject({
      deviceType: 'abecs',
      key: {role: 'working'},
      mode: 'ecb',
    });
    expect(found.next).toMatchObject({request: {deviceType: 'abecs'}, kind: 'working'});
    expect(found.plaintexts[0]?.text).toContain('0905060640431');
  });

  it.each([
    ['without a key', {}, []],
    ['under a wrong key', {keys: [{kind: 'working', hex: WRONG}]}, ['wrong-key']],
    ['under its key as a BDK', {keys: [{kind: 'bdk', hex: RIGHT}]}, []],
  ] satisfies [string, CaseJson, string[]][])('is named, %s', async (__, more, others) => {
    const found = await diagnoseJson({payload, ...more}, few);
    expect(found.solved).toBe(false);
    expect(labelsOf(found)).toEqual(['one-block', ...others]);
    expect(found.verdicts[0]?.detail).toMatch(/^abecs, .*--key-kind working/);
    expect(found.excluded[0]).toMatch(/^Read as abecs: PAN Criptografado/);
  });
});

describe('a number without a second fact', () => {
  // Of no issuer.
  const track2 = `999${block('9888877776666000')}=2512201`;

  it('is not opened by its key, and told what would prove it', async () => {
    const keys = [{kind: 'working', hex: RIGHT}] as const;
    const found = await diagnoseJson({payload: track2, keys}, few);
    expect(labelsOf(found)).toEqual(['one-block', 'wrong-key']);
    expect(found.verdicts[0]?.detail).toContain('a masked card number or the other track');
    const payload = JSON.stringify({track2, maskedPan: '999988*********6000'});
    expect((await diagnoseJson({payload, keys}, few)).solved).toBe(true);
  });
});

describe('a response to GTK', () => {
  const KSN = 'FFFF9876543210E00041';
  const text = 'B4761739001010010^DOE/JANE^2512201123456789';
  const value = encrypt(text, {ksn: KSN}).toString('hex');
  const payload = JSON.stringify({PP_TRACK1: value, PP_TRK1KSN: KSN});

  it('is named under its key, and under a wrong one', async () => {
    const own = await diagnoseJson({payload}, few);
    expect(own).toMatchObject({solved: true, solution: {deviceType: 'abecs'}});
    const foreign = payload.replaceAll('FFFF98', '629949');
    const found = await diagnoseJson({payload: foreign, keys: [{kind: 'bdk', hex: WRONG}]}, few);
    expect(found.solved).toBe(false);
    expect(found.excluded).toContain('Read as abecs: GTK, JSON.');
  });
});
