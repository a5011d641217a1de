import {expect, it} from 'vitest';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../../src/engine/process-payload.js';
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
