import {PaylensError} from '../../contract/paylens-error.js';
import type {Mode} from '../../contract/process-payload.js';
import type {CardContent} from '../../engine/card/card-content.js';
import {extract} from '../../engine/card/extract.js';
import {trackLrc} from '../../engine/card/lrc.js';
import {readTrack2Equivalent} from '../../engine/card/track2-equivalent.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {readPayload} from '../../engine/read-payload.js';
import type {Reading} from '../../engine/reading.js';
import {composeResult} from '../../engine/result.js';
import {readTlv, writeTlv} from '../../engine/tlv/ber.js';
import type {CardImage} from '../../engine/writing.js';
import {bytesFromHex, bytesFromLatin1} from '../../platform/bytes.js';
import {composeCard} from '../../simulator/compose-card.js';
import {findTestCard} from '../../simulator/test-cards.js';
import type {ScriptedAnswer} from './scripted-answer.js';

const DEFAULT_CARD = 'visa';
const DEFAULT_SERIAL = 'MOCK0001';

/**
 * Mock mode's answer to a well-formed process-payload request: the test card that the reference
 * names, in the shape that the device type and mode ask for, whatever encrypted the payload. The
 * payload is read as far as it can be, for its serial number and mode.
 *
 * Throws 2005 when the card does not exist.
 */
export function mockAnswer(request: AnyRequest, {card = DEFAULT_CARD}: ScriptedAnswer) {
  const found = findTestCard(card);
  if (!found) {
    throw new PaylensError(2005, 'reference: unknown test card', {
      hint: 'Run `paylens simulate --list-cards` to see them.',
    });
  }
  const reading = readIfPossible(request);
  const mode = typeof reading?.mode === 'string' ? reading.mode : 'swiped';
  const content = CONTENT[mode](composeCard(found, mode));
  return composeResult({
    manufacturer: KNOWN_TERMINALS.get(request.deviceType).manufacturer,
    serial: reading?.serial ?? request.deviceSerial ?? DEFAULT_SERIAL,
    reading: {form: 'mock', mode, candidates: []},
    content,
    extracted: extract(content),
  });
}

function readIfPossible(request: AnyRequest): Reading | undefined {
  try {
    return readPayload(
      KNOWN_TERMINALS.get(request.deviceType),
      request.devicePayload,
      undefined,
      KNOWN_TERMINALS,
    );
  } catch {
    return undefined;
  }
}

const CONTENT: Readonly<Record<Mode, (card: CardImage) => CardContent>> = {
  swiped: ({track1, track2}) => ({
    ...(track1 === undefined ? {} : {track1: {bytes: withLrc(1, track1), text: track1}}),
    ...(track2 === undefined ? {} : {track2: {bytes: withLrc(2, track2), text: track2}}),
  }),
  emv: ({pan, expiry, serviceCode, name}) => {
    const digits = `${pan}D${expiry}${serviceCode}`;
    const value = bytesFromHex(digits.length % 2 === 0 ? digits : `${digits}F`) ?? new Uint8Array();
    const bytes = writeTlv('57', value);
    const track2equivalent = readTrack2Equivalent(value);
    return {
      tlv: [{bytes, objects: readTlv(bytes).objects}],
      ...(track2equivalent ? {track2equivalent} : {}),
      ...(name === undefined ? {} : {name}),
    };
  },
  keyed: ({pan, expiry, cvv}) => {
    const text = `${pan}=${expiry}=${cvv ?? ''}`;
    const keyed = {bytes: bytesFromLatin1(text), text, pan, ...(cvv === undefined ? {} : {cvv})};
    return {keyed, expiry};
  },
};

function withLrc(number: 1 | 2, text: string): Uint8Array {
  return bytesFromLatin1(text + trackLrc(number, text));
}
