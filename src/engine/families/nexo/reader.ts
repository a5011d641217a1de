import {PaylensError} from '../../../contract/paylens-error.js';
import {isHex} from '../../../platform/bytes.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import {type MaskedPan, maskedText} from '../../card/masked-pans.js';
import {assertBlocks, blockSizeOf} from '../../cipher/block-cipher.js';
import {ALL_FILLS} from '../../cipher/padding.js';
import {entryOf} from '../../forms/entry-of.js';
import {readJsonPayload} from '../../forms/json-payload.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {
  allOf,
  childOf,
  jsonTree,
  localName,
  type Node,
  type Note,
  onlyText,
  readXmlTree,
} from './document.js';
import {type CardEnvelope, envelopePins, findEnvelope} from './envelope.js';
import {
  DERIVATIONS,
  NEXO_CIPHERS,
  NEXO_ENTRY_MODES,
  NEXO_FORM,
  NEXO_PADDINGS,
  ofResponse,
} from './layout.js';
import {openCard} from './plain-card.js';

const ENVELOPE = /(?:PrtctdCardData|ProtectedCardData|EnvlpdData|EnvelopedData)/i;
const GATEWAY = /"(?:DUKPT2009|DUKPT2017|AESDUKPT128ECB|MASTERSESSION)"/i;
const P2PE = /"p2pe"\s*:/i;

/** An element, or a member that is an object; in a string its quotes are escaped. */
const SENT_ENVELOPE =
  /[<":](?:PrtctdCardData|ProtectedCardData|EnvlpdData|EnvelopedData)(?=[\s>]|\\{0,8}"\s{0,8}:\s{0,8}\{)/i;

/** Describes an envelope within a text of another terminal. */
export function envelopeIn(payload: string): string | undefined {
  return SENT_ENVELOPE.test(payload) ? 'an envelope of card data' : undefined;
}

/** True for XML and JSON with an envelope of card data. */
export function isNexo(payload: string): boolean {
  if (!/^\s*[<{]/.test(payload)) return false;
  if (ENVELOPE.test(payload)) return true;
  if (GATEWAY.test(payload)) return /"encryptedData"/i.test(payload);
  return P2PE.test(payload) && /"keySerialNumber"/i.test(payload);
}

/**
 * Reads card data in an envelope: a message of ISO 20022 or a fragment of it, a Sale-to-POI message,
 * or the JSON object of a gateway (docs/terminals/nexo.md#forms).
 *
 * Throws 2100 if it is none of these or has two cards, 2102 if the ciphertext is not whole blocks,
 * 2110 for plain card data alone, 2400 for parts that are no KSN.
 */
export function readNexo(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const isXml = payload.trimStart().startsWith('<');
  const root = isXml
    ? tracedXml(payload, trace)
    : jsonTree(payload, readJsonPayload(payload, trace, describeElement, 'JSON'));
  const lead = isXml ? payload.length - payload.trimStart().length : 0;
  const envelope = findEnvelope(root);
  // A message whose PIN is malformed still has its card.
  const pins = unlessThrown(() => envelopePins(root)) ?? [];
  return {
    form: isXml ? 'XML' : 'JSON',
    serial: terminalSerial(root),
    mode: NEXO_ENTRY_MODES[onlyText(root, 'entryMode')?.toLowerCase() ?? ''],
    masked: nexoCopies(root),
    pins: pins.map((pin) => ({...pin, offset: lead + pin.offset})),
    ...envelopeFields({...envelope, offset: lead + envelope.offset}, root),
  };
}

function envelopeFields(
  envelope: CardEnvelope,
  root: Node,
): Pick<Reading, 'candidates' | 'secondaryFields' | 'refusal' | 'takesWorkingKey'> {
  const {ciphertext, offset, recipients, cipher, iv, padding, refusal, takesWorkingKey} = envelope;
  if (refusal && !takesWorkingKey) return {candidates: [[]], refusal};
  const how = entryOf(NEXO_CIPHERS, cipher);
  if (!how) {
    const closed = new PaylensError(2111, 'an unknown cipher of the encrypted data');
    return {candidates: [[]], refusal: closed};
  }
  assertBlocks('encrypted data', ciphertext, blockSizeOf(how.algorithm));
  const fill = entryOf(NEXO_PADDINGS, padding?.toUpperCase() ?? '');
  const open = (plain: Uint8Array) => openCard(plain, fill ? [fill] : ALL_FILLS);
  const field = {name: 'encrypted data', offset, ciphertext, iv, ivExpected: true, open};
  if (takesWorkingKey) {
    const setting = Object.assign({}, how, AS_GIVEN);
    return {candidates: [[{setting, ...field}]], refusal, takesWorkingKey};
  }
  const isAnswer = isHostAnswer(root);
  const candidates = recipients.flatMap(({derivation, ksn}) => {
    const keys = DERIVATIONS[derivation] ?? [];
    return (isAnswer ? ofResponse(keys) : keys).map((key) => [
      {ksn, setting: Object.assign({}, how, key), ...field},
    ]);
  });
  if (iv !== undefined && !isHex(iv))
    return {candidates, refusal: new PaylensError(2100, 'IV: expected base64')};
  // One that opens for another recipient must have the same card.
  return {candidates, ...(recipients.length > 1 ? {secondaryFields: candidates.flat()} : {})};
}

/** A working key is used as it is. */
const AS_GIVEN = {variant: 'none', selfEncrypted: false} as const;

/** A message whose name says that a host answers. */
function isHostAnswer({name, children}: Node): boolean {
  return /(?:rspn|response)$/.test(name) || children.some((child) => isHostAnswer(child));
}

/** That of the terminal among the components of the point of interaction. */
function terminalSerial(root: Node): string | undefined {
  const terminal = allOf(root, 'component').find(
    (component) => childOf(component, 'type')?.text.toUpperCase() === 'TERM',
  );
  return terminal && onlyText(terminal, 'serial');
}

/** Card numbers outside the envelope: none may be of another card. */
function nexoCopies(root: Node): MaskedPan[] {
  const texts = (['pan', 'maskedPan'] as const).flatMap((name) =>
    allOf(root, name).map(({text}) => text),
  );
  const bins = allOf(root, 'bin').map(({text}) => `${text}***`);
  return [...texts, ...bins].flatMap((text) => maskedText('the card number beside it', text));
}

const describeElement = (name: string) => NEXO_FORM.describe(localName(name));

function tracedXml(payload: string, trace: Trace): Node {
  const lead = payload.length - payload.trimStart().length;
  const note: Note = ({text, offset, ...part}) =>
    trace.note({...part, offset: offset + lead, value: text, ...describeElement(part.name)});
  return readXmlTree(payload.trim(), trace.recording ? note : undefined);
}
