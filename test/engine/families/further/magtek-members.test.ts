import {expect, it} from 'vitest';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS} from '../../../../src/engine/families/registry.js';
import {inspectPayload} from '../../../../src/engine/inspection/inspect-payload.js';
import {processPayload} from '../../../../src/engine/process-payload.js';
import {recognise} from '../../../../src/engine/recognise.js';
import {readPaste} from '../../../../src/input/paste/read-paste.js';
import {readSamples} from '../../samples.js';
import {encrypt} from '../../terminal.js';

const sample = readSamples('magtek').find(({id}) => id === 'magtek-fields-cws-t2');
const members: Readonly<Record<string, string>> = JSON.parse(sample?.request.devicePayload ?? '{}');

/** The names that clients of gateways give to the same members. */
const NAMES = [
  ['track2', 'ksn', 'magne_print', 'magne_print_status'],
  ['track2', 'ksn', 'mp', 'mpstatus'],
  ['Track2', 'KSN', 'MagnePrint', 'MagnePrintStatus'],
  ['ENCTRACK2', 'KSN', 'ENCMP', 'MPSTATUS'],
] as const;

it.each(NAMES)('reads a MagTek swipe in %s and %s, %s, %s', (track, ksn, print, status) => {
  const devicePayload = JSON.stringify({
    [track]: members.SecurePaymentAccountData,
    [ksn]: members.EncryptionKeyId,
    [print]: members.IdentificationInformation,
    [status]: members.SwipeStatus,
  });
  const {extracted} = processPayload({deviceType: 'magtek', devicePayload}, testKeyRing());
  expect(extracted.PAN).toMatch(/^\d{16}$/);
  expect(sample?.expect.response).toMatchObject({extracted: {PAN: extracted.PAN}});
});

it.each([
  // Number, expiry date, 000, 000, CVV, 00, 0 (docs/terminals/magtek.md#manual-entry).
  [';PAN=2803000000725000?', 'keyed', '725'],
  [';PAN=28010000007254001?', 'keyed', '7254'],
  // A stripe with a service code, and one of zeros alone.
  [';PAN=28012010007240000?', 'swiped', undefined],
  [';PAN=2803000000000000?', 'swiped', undefined],
  [';PAN=2801?', 'swiped', undefined],
])('takes track 2 alone, %s, for %s', (text, mode, cvv) => {
  const ksn = 'FFFF9876543210E00008';
  const known = {deviceType: 'magtek', devicePayload: JSON.stringify(members)} as const;
  const {PAN} = processPayload(known, testKeyRing()).extracted;
  const data = encrypt(text.replace('PAN', PAN), {
    ksn,
    variant: 'pin',
    selfEncrypted: false,
  }).toString('hex');
  const devicePayload = JSON.stringify({
    ...{...members, SecurePaymentAccountData: data, EncryptionKeyId: ksn},
  });
  const {meta, extracted} = processPayload({deviceType: 'magtek', devicePayload}, testKeyRing());
  expect({mode: meta.mode, cvv: extracted.CVV}).toEqual({mode, cvv});
});

it('recognises a gateway whose members name the MagnePrint, and no other', () => {
  const {IdentificationInformation, SwipeStatus, ...others} = members;
  const whose = (all: object) => recognise(JSON.stringify(all), KNOWN_TERMINALS);
  expect(whose({...others, IdentificationInformation})).toEqual(['magtek']);
  expect(whose({...others, ENCMP: IdentificationInformation, SwipeStatus})).toEqual(['magtek']);
  expect(whose(others)).toEqual([]);
  expect(whose({IdentificationInformation, EncryptionKeyId: others.EncryptionKeyId})).toEqual([]);
});

it('names what stands behind the last field of a string as one part', () => {
  const devicePayload = '|'.repeat(65_000);
  const {parts} = inspectPayload({deviceType: 'magtek', devicePayload}, false);
  expect(parts.length).toBeLessThan(20);
  const ends = parts.map(({offset, length}) => offset + length);
  expect(parts.map(({offset}) => offset)).toEqual([0, ...ends.slice(0, -1)]);
  expect(ends.at(-1)).toBe(devicePayload.length);
});

/** The members of Magensa's web services, as their manuals (D998200059, D998200233) name them. */
const CARD_SWIPE = {
  DeviceSN: 'B0C2472071812AA',
  KSN: members.EncryptionKeyId,
  MagnePrint: members.IdentificationInformation,
  MagnePrintStatus: members.SwipeStatus,
  Track1: '',
  Track2: members.SecurePaymentAccountData,
  Track3: '',
};

const REQUESTS = {
  JSON: JSON.stringify({
    ProcessCardSwipeRequest: [
      {CardSwipeInput: {CVV: '', EncryptedCardSwipe: CARD_SWIPE, ZIPCode: '90740'}},
    ],
  }),
  SOAP: `<soapenv:Envelope xmlns:dec="http://schemas.datacontract.org/2004/07/Decrypt.Core"><soapenv:Body><mpa:CardSwipe>\n${Object.entries(
    CARD_SWIPE,
  )
    .map(([name, value]) => `<dec:${name}>${value}</dec:${name}>`)
    .join('\n')}</mpa:CardSwipe></soapenv:Body></soapenv:Envelope>`,
};

it.each(Object.entries(REQUESTS))(
  'reads a request to Magensa in %s, without its type',
  (_, text) => {
    const payload = readPaste(text)?.payload ?? text;
    expect(recognise(payload, KNOWN_TERMINALS)).toEqual(['magtek']);
    const {meta, extracted} = processPayload(
      {deviceType: 'magtek', devicePayload: payload},
      testKeyRing(),
    );
    expect(sample?.expect.response).toMatchObject({extracted: {PAN: extracted.PAN}});
    expect(meta.serial).toBe(CARD_SWIPE.DeviceSN);
  },
);

it.each(Object.entries(REQUESTS))(
  'refuses a second swipe in a request to Magensa: %s',
  (_, text) => {
    const other = text.replaceAll('87936F09', '97936F09');
    const asked = () => {
      const payload = readPaste(text + other, 'magtek')?.payload ?? text + other;
      return processPayload({deviceType: 'magtek', devicePayload: payload}, testKeyRing());
    };
    expect(asked).toThrow(/two payloads|not recognised|two values/i);
  },
);
