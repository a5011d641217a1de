import {expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../../src/engine/devices/registry.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {readSamples} from '../samples.js';

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
