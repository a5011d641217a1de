import {counterFault} from '../../engine/dukpt/ksn-counter.js';
import {MAX_PAYLOAD_CHARACTERS} from '../../engine/read-payload.js';
import {recognise} from '../../engine/recognise.js';
import type {DiagnosisCase, SearchKeys} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import {ofOtherType} from '../../input/interpret.js';
import {type Interpretation, isReading, isRecognisedByLength} from '../../input/interpretation.js';
import {isHex} from '../../platform/bytes.js';
import {plainForms, wholeKsns} from '../candidates/ksn-candidates.js';
import {type Finding, ranked} from '../finding.js';
import type {Label} from '../labels.js';
import {isPinBlock} from '../plaintext/opened-plaintext.js';
import type {KeyMatch} from '../search/key-match.js';
import {explainUnused} from './explain-keys.js';
import {malformedKsn} from './explain-ksn.js';
import {TYPOS} from './explain-typo.js';
import {looksForeign} from './foreign.js';
import {whoseKey} from './ksn-families.js';
import {isClosed, refusalFindings} from './reader-refusals.js';
import {misspelledFindings} from './solved.js';

/** Findings of an unsolved case: what was excluded, and what is missing. */
export function findingsWithout(
  given: DiagnosisCase,
  clues: Clues,
  keys: SearchKeys,
  weak: KeyMatch | undefined,
  isComplete: boolean,
): Finding[] {
  const {typed, isRead} = wrongType(given, clues);
  if (typed && !isRead) return [typed];
  // What another terminal's reader misses says nothing.
  const refused = typed ? [typed] : refusalFindings(clues, given.deviceType);
  if (refused.some(isClosed)) return refused;
  const alone = oneBlockFindings(clues, keys);
  if (alone.length > 0) return alone;
  const unused = explainUnused(keys, wholeKsns([...clues.ksns.given, ...clues.ksns.message]));
  // That says more than that none decrypts.
  const isSlip = unused.some(({label}) => TYPOS.has(label));
  const foreign = clues.texts.map(looksForeign).find((one) => one !== undefined);
  return ranked([
    ...misspelledFindings(given),
    ...refused,
    ...(foreign === undefined ? [] : [{label: 'other-data', detail: foreign} as const]),
    // A reader that accepts the whole payload misses no digits.
    ...(clues.interpretations.some(isParsed) ? [] : clues.gaps.map(({finding}) => finding)),
    // A damaged frame contains asterisks as a matter of course.
    ...lengthFindings(given, clues).filter(
      ({label}) => (refused.length === 0 && clues.gaps.length === 0) || label !== 'masked-part',
    ),
    ...ksnFindings(clues),
    ...unsolvedPinFindings(clues, given, weak),
    ...unused,
    ...(isSlip ? [] : missingKeyFindings(clues, keys, isComplete)),
    ...(isComplete ? [] : [{label: 'out-of-time'} as const]),
  ]);
}

const isOfType = ({label}: Pick<Finding, 'label'>) => label === 'wrong-type';

/** Whether a payload is of another type than the one given, and a reader of that one finds ciphertext. */
function wrongType(
  {deviceType, payload = ''}: DiagnosisCase,
  {interpretations, terminals}: Clues,
): {readonly typed?: Finding | undefined; readonly isRead?: boolean} {
  if (deviceType === undefined) return {};
  if (interpretations.some((one) => isParsed(one) && one.reader?.type === deviceType)) return {};
  const others = interpretations.filter(({findings}) => findings.some(isOfType));
  // Any hex may have the length of bare ciphertext.
  const typed = others.find((one) => !isRecognisedByLength(one))?.findings.find(isOfType);
  if (others.length > 0) return {typed, isRead: true};
  const types = payload.length > MAX_PAYLOAD_CHARACTERS ? [] : recognise(payload, terminals);
  if (types.length === 0 || types.includes(deviceType)) return {};
  return {typed: ofOtherType(types, deviceType)};
}

/** Nothing but the reader's own advice helps where no search can prove a key. */
function oneBlockFindings({interpretations}: Clues, {all}: SearchKeys): Finding[] {
  const interpretation = interpretations.find(({oneBlock}) => oneBlock !== undefined);
  if (interpretation?.oneBlock === undefined) return [];
  const detail = `${interpretation.reader?.type}, ${interpretation.form}. ${interpretation.oneBlock}`;
  const isTried = all.some(({origin, kind}) => origin !== 'published' && kind === 'working');
  return [{label: 'one-block', detail}, ...(isTried ? [{label: 'wrong-key'} as const] : [])];
}

/** Data that no reader recognises as a frame must be whole blocks. */
function lengthFindings(
  {payload, ciphertexts}: DiagnosisCase,
  {interpretations}: Clues,
): Finding[] {
  // A reader of bare ciphertext accepts any whole blocks, so it proves nothing.
  const readers = interpretations.filter(
    (one) => !isRecognisedByLength(one) || !one.reader?.readsBare,
  );
  if (readers.some(({reader}) => reader)) return [];
  const texts = [
    ...ciphertexts,
    ...(payload === undefined ? [] : [{name: 'payload', text: payload}]),
  ];
  return texts.flatMap(({name, text}): Finding[] => {
    const compact = text.replaceAll(/\s/g, '');
    const isDigits = compact !== '' && isHex(compact);
    // Half a byte is missing, whatever the other findings are.
    if (isDigits && compact.length % 2 === 1) {
      return [{label: 'odd-hex', detail: `${name} has ${compact.length} hex digits.`}];
    }
    if (/(?:2A){4}|\*{4}/i.test(compact)) {
      return [{label: 'masked-part', detail: `${name} contains asterisks.`}];
    }
    if (!isDigits) return [];
    const bytes = compact.length / 2;
    if (bytes % 8 === 0) return [];
    const detail = `${name} has ${bytes} bytes: ${bytes % 8} more than ${bytes - (bytes % 8)}, ${8 - (bytes % 8)} less than ${bytes + 8 - (bytes % 8)}.`;
    return [{label: 'length-impossible', detail}];
  });
}

function ksnFindings({ksns}: Clues): Finding[] {
  const all = [...ksns.given, ...ksns.message];
  if (all.length === 0) return [{label: 'ksn-missing'}];
  // Digits that only look like a KSN may belong to a masked track or an order number.
  const known = [...ksns.given, ...ksns.named].flatMap((text) => plainForms(text, 'given'));
  const malformed = malformedKsn(ksns.given);
  if (malformed.length > 0) return malformed;
  const fault = known
    .map(({ksn}) => counterFault(ksn.counter, ksn.scheme))
    .find((one) => one !== undefined);
  if (fault === 'zero') return [{label: 'ksn-counter-zero'}];
  return fault === 'bits' ? [{label: 'ksn-counter-bits'}] : [];
}

function unsolvedPinFindings(
  {interpretations}: Clues,
  {pan}: DiagnosisCase,
  weak: KeyMatch | undefined,
): Finding[] {
  // A reader that accepts the whole payload knows what its blocks are.
  const isOneBlock =
    !interpretations.some(isParsed) &&
    interpretations.some(({targets}) => targets.some(({ciphertext}) => ciphertext.length === 8));
  const opening = weak?.opened[0]?.reading.openings[0];
  if (pan !== undefined || !isOneBlock) return [];
  const detail = isPinBlock(opening)
    ? `Under the ${weak?.key.source} it would match ${opening?.packing}.`
    : 'It is a single cipher block.';
  return [{label: 'pin-pan-needed', detail}];
}

/** Digits that only look like a KSN do not identify a key set: they may be a card number. */
function missingKeyFindings(
  {ksns, interpretations}: Clues,
  {all}: SearchKeys,
  isComplete: boolean,
): Finding[] {
  const [ksn] = [...ksns.given, ...ksns.named].flatMap((text) => plainForms(text, 'given'));
  const isTried = isComplete && interpretations.some(isParsed);
  const whose = ksn ? whoseKey(ksn.ksn.hex, isTried) : undefined;
  const own = all.filter(({origin}) => origin !== 'published');
  const detail = whose === undefined ? {} : {detail: whose};
  const components = own.filter(({kind}) => kind === 'component');
  if (own.length === 0) return [{label: 'no-key', ...detail}];
  if (components.length === own.length) return [{label: 'component-missing', ...detail}];
  return [{label: 'wrong-key', ...detail}];
}

/** A reader accepted the whole payload, so every ciphertext was tried in its proper place. */
function isParsed(interpretation: Interpretation): boolean {
  return isReading(interpretation) && !interpretation.findings.some(({label}) => PARTS.has(label));
}

const PARTS: ReadonlySet<Label> = new Set<Label>([
  'wrong-slice',
  'text-around',
  'bytes-around',
  'frame-lost-character',
  'frame-added-character',
]);
