import type {PaylensError} from '../../contract/paylens-error.js';
import {hasCiphertext} from '../../engine/card/is-clear-card.js';
import type {PayloadForm} from '../../engine/families/terminal.js';
import {EMV_TAGS} from '../../engine/tlv/tags.js';
import {Trace} from '../../engine/trace.js';
import {rejectionOf} from '../../input/attempt.js';
import type {Clues} from '../../input/clues.js';
import {type Interpretation, isIntact} from '../../input/interpretation.js';
import type {Refusal} from '../../input/read-form.js';
import {bytesFromLatin1, upperHexOf} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';

/** Signs of a frame: STX or ViVO at the start, or the asterisks of a masked copy inside. */
const FRAME_LIKE = /^(?:02|5669564F)|(?:2A){4}/i;

/** True if a reader says that there is nothing to decrypt, or nothing that a key of ours could. */
export function isClosed({label}: Pick<Finding, 'label'>): boolean {
  return label === 'clear-data' || label === 'closed-scheme';
}

/** Findings from the errors of the readers: clear data and closed schemes first, then damage. */
export function refusalFindings({refusals, interpretations, texts}: Clues): Finding[] {
  // Whoever refuses what another terminal sent whole knows nothing of it.
  if (interpretations.some(isWholePayload)) return [];
  const framed = refusals.filter(
    // A text may begin with STX, but not as a frame of this reader.
    ({reader, text}) =>
      !beginningOf(text).startsWith('02') ||
      reader.framing === undefined ||
      beginsAsFrame(reader, text),
  );
  const of = (code: number) => framed.find(({error}) => error.code === code);
  const clear = framed.find(isOfClearData(texts));
  const closed = of(2111);
  if (clear) return [{label: 'clear-data', detail: clear.error.detail}];
  if (closed) return [{label: 'closed-scheme', detail: `${closed.error.detail}.`}];
  const damaged = interpretations
    .flatMap(({findings}) => findings)
    .find(({label}) => label === 'frame-damaged');
  if (damaged) return [damaged];
  const broken = of(2101);
  if (broken) return [{label: 'frame-damaged', detail: broken.error.detail}];
  const cut = framed
    .map(ofWholeBytes)
    .find(
      ({error, reader, text, findings}) =>
        error.code === 2102 &&
        beginsAsFrame(reader, text) &&
        !isOfAnyHex(error) &&
        !findings.some(({label}) => label === 'frame-lost-character'),
    );
  return cut ? [{label: 'frame-cut', detail: cut.error.detail}] : [];
}

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
 * Errors that any hex gives if it is parsed as a list of tags. A truncated list, however, begins
 * with one of the reader's own tags.
 */
function isOfAnyHex({fault}: PaylensError): boolean {
  return fault?.kind === 'half-byte' || (fault?.kind === 'tag' && !/^(?:DF|FF)/.test(fault.tag));
}

/**
 * Replaces the error for an odd number of hex digits by that for its whole bytes, if these are a
 * frame that lacks more than the one digit. Other errors stay.
 */
function ofWholeBytes(refusal: Refusal): Refusal {
  const digits = refusal.text.replaceAll(/\s/g, '');
  if (refusal.error.fault?.kind !== 'half-byte' || !FRAME_LIKE.test(digits)) return refusal;
  const error = truncation(refusal, digits.slice(0, -1));
  return error && truncation(refusal, `${digits}0`) ? {...refusal, error} : refusal;
}

/** The 2102 that the reader of a refusal throws for `text`, if it does. */
function truncation({reader}: Refusal, text: string): PaylensError | undefined {
  const error = rejectionOf(() => reader.read(text, new Trace({recording: false})));
  return error?.code === 2102 ? error : undefined;
}

/**
 * True if a reader misses the end of its frame, or of an object that EMV names, that has a tag of several
 * bytes or that the list begins with: other bytes behind a list are hardly ever one.
 */
export function missesEnd({error: {code, fault}, reader, text}: Refusal): boolean {
  if (code !== 2102) return false;
  if (fault?.kind !== 'tag') return beginsAsFrame(reader, text);
  const {tag} = fault;
  return tag.length > 2 || text.startsWith(tag) || Object.hasOwn(EMV_TAGS, tag);
}

/** True if a text begins as every frame of this reader does: ciphertext may begin with any byte. */
function beginsAsFrame({framing}: PayloadForm, text: string): boolean {
  return framing?.begins.test(beginningOf(text)) ?? false;
}

/** The first bytes of a payload in hex; text between double quotes stands for its bytes. */
function beginningOf(text: string): string {
  const compact = text.slice(0, 64).replaceAll(/\s/g, '').toUpperCase();
  if (!/^[\dA-F]{8}/.test(compact)) return upperHexOf(bytesFromLatin1(text.slice(0, 16)));
  return compact.replace(/".*/, (quoted) => upperHexOf(bytesFromLatin1(quoted)));
}
