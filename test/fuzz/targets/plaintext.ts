import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {mergeContent} from '../../../src/engine/card/card-content.js';
import {extract} from '../../../src/engine/card/extract.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {type PlannedField, planDecryption} from '../../../src/engine/plan.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import type {Reading} from '../../../src/engine/reading.js';
import {composeResult} from '../../../src/engine/result.js';
import {demand, type FuzzInput, type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {deviceSeeds} from './device-seeds.js';
import {kindOf, textOf} from './errors.js';

interface Opening {
  readonly fields: readonly PlannedField[];
  readonly reading: Reading;
}

const ring = testKeyRing();
const OPENINGS = new Map<string, Opening>();

/**
 * The code after decryption, which changes of a ciphertext never reach: the fields of a payload are
 * opened with changed plaintexts. The last text names the payload of the fields.
 */
export const plaintextTarget: FuzzTarget = {
  name: 'plaintext',
  tokens: ['3F', '3B', '2542', '5E', '3D', '57', '5A08', '5F2403', '80', 'DFDB06', 'FFEE01', 'F0'],
  seeds,
  run: (input) => {
    const opening = OPENINGS.get(input.at(-1) ?? '') ?? [...OPENINGS.values()][0];
    demand(opening, 'there are payloads');
    const plains = input.slice(0, -1).map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
    const answer = resultOrError(() => open(opening, plains));
    if (answer instanceof PaylensError) {
      return {features: [kindOf(answer)], answer: textOf(answer)};
    }
    const members = Object.keys({...answer, ...answer.extracted}).join();
    const masked = [answer.track1, answer.track2, answer.track2equivalent, answer.keyed];
    for (const track of masked) assertMasked(track, answer.extracted.PAN);
    return {features: [`${input.at(-1)} ${shapeOf(members)}`], answer: JSON.stringify(answer)};
  },
};

/** The plaintexts of one payload of each form that decrypts under the test keys. */
function seeds(): FuzzInput[] {
  return TERMINAL_TYPES.flatMap((deviceType) =>
    deviceSeeds(deviceType).flatMap(([devicePayload = '', ksn, iv, deviceSerial], i) => {
      const request = {deviceType, devicePayload, ksn, iv, deviceSerial};
      const made = resultOrError(() => opened(request));
      if (made instanceof PaylensError) return [];
      const name = `${deviceType} ${i}`;
      OPENINGS.set(name, made);
      return [[...made.fields.map(plaintextOf), name]];
    }),
  );
}

function opened(request: Parameters<typeof planDecryption>[1]): Opening {
  const reading = readPayload(KNOWN_TERMINALS.get(request.deviceType), request.devicePayload);
  if (reading.refusal) throw reading.refusal;
  const [fields = []] = planDecryption(reading, request).candidates;
  return {fields, reading};
}

function plaintextOf({field, ksn, algorithm, iv}: PlannedField): string {
  const {mode, variant, selfEncrypted} = field.setting;
  const transaction = ring.transaction(ksn);
  const key =
    transaction.scheme === 'tdes'
      ? transaction.workingKey(variant, selfEncrypted)
      : transaction.aesWorkingKey('data-encryption', 'aes128');
  const cipher = prepareCipher(algorithm, key);
  const plain =
    mode === 'cbc' ? cipher.decryptCbc(field.ciphertext, iv) : cipher.decryptEcb(field.ciphertext);
  return Buffer.from(plain).toString('hex');
}

function open({fields, reading}: Opening, plains: readonly Uint8Array[]) {
  const contents = fields.map(({field}, i) => field.open(plains[i] ?? new Uint8Array(8)));
  const content = mergeContent([...contents, reading.clear ?? {}]);
  reading.agree?.(content, contents);
  const extracted = extract(content);
  return composeResult({manufacturer: '', serial: '', reading, content, extracted});
}

/** No masked member may show the middle of the card number beside it. */
function assertMasked(track: {readonly masked: string} | undefined, pan: string): void {
  // Inside a longer number, such as the name on a track, it is not recognisable.
  const shown: readonly string[] = track?.masked.match(/\d+/g) ?? [];
  demand(!shown.includes(pan), 'a masked member shows the card number');
}
