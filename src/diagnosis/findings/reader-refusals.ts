import type {PaylensError} from '../../contract/paylens-error.js';
import {hasCiphertext} from '../../engine/card/is-clear-card.js';
import type {PayloadForm} from '../../engine/families/terminal.js';
import {flatten, readTlv} from '../../engine/tlv/ber.js';
import {EMV_TAGS} from '../../engine/tlv/tags.js';
import {Trace} from '../../engine/trace.js';
import {rejectionOf} from '../../input/attempt.js';
import type {Clues} from '../../input/clues.js';
import {type Interpretation, isIntact} from '../../input/interpretation.js';
import type {Refusal} from '../../input/read-form.js';
import {bytesFromHex, bytesFromLatin1, upperHexOf} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';

/** True if a reader says that there is nothing to decrypt, or nothing that a key of ours could. */
export function isClosed({label}: Pick<Finding, 'label'>): boolean {
  return label === 'clear-data' || label === 'closed-scheme';
}

/** Findings from the errors of the readers: clear data and closed schemes first, then damage. */
export function refusalFindings(clues: Clues, deviceType: string | undefined): Finding[] {
  const {refusals, interpretations, texts} = clues;
  // Whoever refuses what another terminal sent whole knows nothing of it.
  if (interpretations.some((one) => isWholePayload(one) && !cutOf(one, clues))) return [];
  const framed = refusals.filter(
    // A text may begin with STX, but not as a frame of this reader.
    ({reader, text}) =>
      !beginningOf(text).startsWith('02') ||
      reader.framing === undefined ||
      beginsAsFrame(reader, text),
  );
  const of = (code: number) => framed.find(({error}) => error.code === code);
  const cut = framed
    .map(ofWholeBytes)
    .find((one) => isTruncated(one) && isOwnFrame(one, deviceType) && !isRepaired(one));
  const clear = framed.find(isOfClearData(texts));
  const closed = of(2111);
  // Where the end is missing, a masked copy may look like clear data.
  if (clear && !(cut && texts.includes(cut.text)))
    return [{label: 'clear-data', detail: clear.error.detail}];
  if (closed) return [{label: 'closed-scheme', detail: `${closed.error.detail}.`}];
  const damaged = interpretations
    .flatMap(({findings}) => findings)
    .find(({label}) => label === 'frame-damaged');
  if (damaged) return [damaged];
  const broken = of(2101);
  if (broken) return [{label: 'frame-damaged', detail: broken.error.detail}];
  return cut ? [{label: 'frame-cut', detail: cut.error.detail}] : [];
}

const isRepaired = ({findings}: Refusal) =>
  findings.some(({label}) => label === 'frame-lost-character');

/**
 * Whether a reader found clear card data. A text of only digits may be a block in hex instead of a card
 * number; beside ciphertext, what stands in another text is a masked copy, whose mask are zeros.
 */
function isOfClearData(texts: readonly string[]) {
  const isBlock = texts.every((text) => /^\d*$/.test(text));
  const isCopied = texts.some(hasCiphertext);
  return ({error, findings}: Refusal): boolean =>
    error.code === 2110 &&
    !isBlock &&
    !(isCopied && findings.some(({label}) => label === 'text-around'));
}

/** True if a reader named every byte of an undamaged payload, and there is something to decrypt. */
function isWholePayload(interpretation: Interpretation): boolean {
  const {reader, recognisedBy, targets} = interpretation;
  const isOwn = reader !== undefined && recognisedBy === undefined;
  return isOwn && targets.length > 0 && isIntact(interpretation);
}

/**
 * That the payload was cut, where an interpretation leaves a rest around it: there is none where its
 * reader misses its end.
 */
export function cutOf(
  {findings, reader}: Interpretation,
  {refusals, texts}: Clues,
): Finding | undefined {
  if (!findings.some(leavesRest)) return undefined;
  const cut = refusals
    .filter((refusal) => texts.includes(refusal.text))
    .filter((refusal) => (reader ? refusal.reader === reader : isCutText(refusal)))
    // JSON around a payload in a string of it may be a request that was cut.
    .filter((refusal) => !isCutText(refusal) || !findings.some(isEscaped))
    .map(ofWholeBytes)
    .find(missesEnd);
  return cut && {label: 'frame-cut', detail: cut.error.detail};
}

const isEscaped = ({label}: Pick<Finding, 'label'>) => label === 'text-escaped';

/** True of a finding by which a payload is only part of a text. */
export function leavesRest({label}: Pick<Finding, 'label'>): boolean {
  return label === 'bytes-around' || label === 'text-around';
}

/**
 * Replaces the error for an odd number of hex digits by that for its whole bytes, if these are a
 * frame that lacks more than the one digit. Other errors stay.
 */
function ofWholeBytes(refusal: Refusal): Refusal {
  const digits = refusal.text.replaceAll(/\s/g, '');
  if (refusal.error.fault?.kind !== 'half-byte') return refusal;
  const error = truncation(refusal, digits.slice(0, -1));
  return error && truncation(refusal, `${digits}0`) ? {...refusal, error} : refusal;
}

/** The 2102 that the reader of a refusal throws for `text`, if it does. */
function truncation({reader}: Refusal, text: string): PaylensError | undefined {
  const error = rejectionOf(() => reader.read(text, new Trace({recording: false})));
  return error?.code === 2102 ? error : undefined;
}

/**
 * True if a reader misses the end of its frame, or of an object that it or EMV names, that has a tag of
 * several bytes or that the list begins with: other bytes behind a list are hardly ever one.
 */
function missesEnd(refusal: Refusal): boolean {
  const {error, reader, text} = refusal;
  if (!isTruncated(refusal)) return false;
  if (error.fault?.kind !== 'tag') return true;
  const {tag} = error.fault;
  return tag.length > 2 || text.startsWith(tag) || isNamed(tag, reader);
}

function isTruncated({error: {code, fault}}: Refusal): boolean {
  return fault?.kind === 'cut-text' || (code === 2102 && fault?.kind !== 'half-byte');
}

function isNamed(tag: string, {signs}: PayloadForm): boolean {
  return Object.hasOwn(EMV_TAGS, tag) || (signs?.tags?.has(tag) ?? false);
}

/** Random bytes hardly ever begin with so many objects that EMV or a reader names. */
const MIN_NAMED_OBJECTS = 3;

/**
 * True if a text begins or is marked as only payloads of this reader are, whatever it lacks. Of a named
 * terminal any frame is its own; but any hex may be taken for a list of tags, or for bare ciphertext.
 */
function isOwnFrame(refusal: Refusal, deviceType: string | undefined): boolean {
  const {error, reader, text} = refusal;
  if (reader.type === deviceType && !reader.readsBare && error.fault?.kind !== 'tag') return true;
  if (beginsAsFrame(reader, text) || reader.claims?.(text) || isCutText(refusal)) return true;
  const digits = text.replaceAll(/\s/g, '').toUpperCase();
  const bytes = bytesFromHex(digits.slice(0, digits.length & ~1));
  if (!bytes) return false;
  const {objects} = readTlv(bytes, {isCut: true});
  const named = flatten(objects).filter(({tag}) => isNamed(tag, reader));
  if (named.length >= MIN_NAMED_OBJECTS) return true;
  return [...(reader.signs?.tags ?? [])].some((tag) => tag.length > 4 && hasTag(digits, tag));
}

/** True of JSON without its end: a line of a log may begin as XML does, but hardly as JSON. */
function isCutText({error: {fault}, text}: Refusal): boolean {
  return fault?.kind === 'cut-text' && /^\s*\{/.test(text);
}

/** True if whole bytes of a text in hex are a tag. */
function hasTag(digits: string, tag: string): boolean {
  let at = digits.indexOf(tag);
  while (at % 2 === 1) at = digits.indexOf(tag, at + 1);
  return at !== -1;
}

/** True if a text begins as every frame of this reader does: ciphertext may begin with any byte. */
function beginsAsFrame({framing}: PayloadForm, text: string): boolean {
  return framing?.begins.test(beginningOf(text)) ?? false;
}

/** The first bytes of a payload in hex; text between double quotes stands for its bytes. */
export function beginningOf(text: string): string {
  const compact = text.slice(0, 64).replaceAll(/\s/g, '').toUpperCase();
  if (!/^[\dA-F]{8}/.test(compact)) return upperHexOf(bytesFromLatin1(text.slice(0, 16)));
  return compact.replace(/".*/, (quoted) => upperHexOf(bytesFromLatin1(quoted)));
}
