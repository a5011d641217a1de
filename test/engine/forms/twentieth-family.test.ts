import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS} from '../../../src/engine/families/registry.js';
import type {AnyTerminal} from '../../../src/engine/families/terminal.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {recognise, recogniseOne} from '../../../src/engine/recognise.js';
import {TEST_BDK} from '../samples.js';
import {encrypt, tlv} from '../terminal.js';

/** A made-up family: everything about it is here, and no folder of another family knows of it. */
const ACME: AnyTerminal = {
  type: 'acme-pad',
  manufacturer: 'ACME',
  recognises: (payload) => payload.includes('acmePad'),
  claims: (payload) => payload.includes('acmePad'),
  exclusive: true,
  read: () => ({form: 'never read', candidates: [[]]}),
  signs: {tags: new Set(['DFC101'])},
  about: async () => ({title: '', summary: '', evidence: 'inferred'}),
};

const twenty = KNOWN_TERMINALS.with([ACME]);
const KSN = 'FFFF9876543210E00041';
const TRACK = ';4761739001010010=25122011143878089?';
const track2 = encrypt(TRACK, {ksn: KSN}).toString('hex');
const keys = new KeyRing([
  {kind: 'bdk', algorithm: 'tdes', secret: new Secret(Buffer.from(TEST_BDK, 'hex'))},
]);

/** A card number, or the code of the error, with and without the made-up family. */
function withAndWithout(deviceType: string, devicePayload: string): unknown[] {
  return [KNOWN_TERMINALS, twenty].map((terminals) => {
    try {
      const request = {deviceType, devicePayload, ksn: KSN};
      return processPayload(request, keys, {terminals}).extracted.PAN;
    } catch (error) {
      return (error as {code?: number}).code ?? error;
    }
  });
}

const PAN = '4761739001010010';
const CHIP = Buffer.concat([tlv('5A', PAN), tlv('57', `${PAN}D25122011143878089`)]);
const sign = tlv('DFC101', '0011223344556677');
const miura = (...more: Buffer[]) =>
  tlv(
    'E1',
    Buffer.concat([tlv('DFAE02', encrypt(CHIP, {ksn: KSN})), tlv('DFAE03', KSN), ...more]),
  ).toString('hex');

describe('a twentieth family, declared in one place,', () => {
  it.each([
    ['a list with a tag of it', 'miura', miura(sign), [PAN, 2100]],
    ['the same list without it', 'miura', miura(), [PAN, PAN]],
    ['a list with its tag and no value', 'miura', miura(tlv('DFC101', '')), [PAN, PAN]],
    [
      'a request that it claims',
      'bbpos',
      JSON.stringify({poiType: 'bbpos', track2, ksn: KSN, note: 'acmePad'}),
      [PAN, 2100],
    ],
    [
      'a request that it does not claim',
      'bbpos',
      JSON.stringify({poiType: 'bbpos', track2, ksn: KSN, note: 'acme'}),
      [PAN, PAN],
    ],
    [
      'values that it claims, read as described by the caller',
      'generic',
      JSON.stringify({track2, ksn: KSN, acmePad: ''}),
      [PAN, PAN],
    ],
  ])('decides on %s', (_, deviceType, payload, expected) => {
    expect(withAndWithout(deviceType, payload)).toEqual(expected);
  });

  it('takes what it claims from the values described by a caller', () => {
    const payload = JSON.stringify({track2, ksn: KSN, acmePad: '1'});
    expect(recognise(payload, KNOWN_TERMINALS)).toEqual(['generic']);
    expect(recognise(payload, twenty)).toEqual(['acme-pad']);
    expect(recogniseOne('acmePad, and no more', twenty)).toBe('acme-pad');
  });
});
