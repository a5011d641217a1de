import {counterFault} from '../../engine/dukpt/ksn-counter.js';
import {isHex} from '../../platform/bytes.js';
import {plainForms, wholeKsns} from '../candidates/ksn-candidates.js';
import {distinctFindings, type Finding} from '../finding.js';
import type {DiagnosisCase, SearchKeys} from '../input/case.js';
import type {Gathered} from '../input/clues.js';
import {isToldByLength, type Subject} from '../input/interpretation.js';
import {whoseKey} from '../input/ksn-families.js';
import {isIntact} from '../input/read-form.js';
import {ksnDigits} from '../input/written-ksn.js';
import type {Label} from '../labels.js';
import {isPinBlock} from '../plaintext/opened-plaintext.js';
import type {Found} from '../search/key-match.js';
import {explainUnused} from './explain-keys.js';
import {looksForeign} from './foreign.js';
import {refusalFindings} from './reader-refusals.js';

/** Findings of an unsolved case: what was excluded, and what is missing. */
export function findingsWithout(
  given: DiagnosisCase,
  gathered: Gathered,
  keys: SearchKeys,
  weak: Found | undefined,
  isComplete: boolean,
): Finding[] {
  const refused = refusalFindings(gathered);
  const isClosed = refused.some(({label}) => label === 'clear-data' || label === 'closed-scheme');
  if (isClosed) return refused;
  const alone = oneBlockFindings(gathered, keys);
  if (alone.length > 0) return alone;
  const findings = [
    ...(isComplete ? [] : [{label: 'out-of-time'} as const]),
    ...refused,
    ...foreignFindings(gathered),
    ...gapFindings(gathered),
    // A damaged frame contains asterisks as a matter of course.
    ...lengthFindings(given, gathered).filter(
      ({label}) => (refused.length === 0 && gathered.gaps.length === 0) || label !== 'masked-part',
    ),
    ...ksnFindings(gathered),
    ...pinFindings(gathered, given, weak),
    ...explainUnused(keys, wholeKsns([...gathered.ksns.given, ...gathered.ksns.message])),
    ...keyFindings(gathered, keys, isComplete),
  ];
  return distinctFindings(findings);
}

/** Nothing but the reader's own advice helps where no search can prove a key. */
function oneBlockFindings({subjects}: Gathered, {all}: SearchKeys): Finding[] {
  const subject = subjects.find(({oneBlock}) => oneBlock !== undefined);
  if (subject?.oneBlock === undefined) return [];
  const detail = `${subject.reader?.type}, ${subject.form}. ${subject.oneBlock}`;
  const isTried = all.some(({origin, kind}) => origin !== 'published' && kind === 'working');
  return [{label: 'one-block', detail}, ...(isTried ? [{label: 'wrong-key'} as const] : [])];
}

function foreignFindings({texts}: Gathered): Finding[] {
  const detail = texts.map(looksForeign).find((one) => one !== undefined);
  return detail === undefined ? [] : [{label: 'other-data', detail}];
}

/** Missing digits, unless a reader accepts the whole payload. */
function gapFindings({gaps, subjects}: Gathered): Finding[] {
  return subjects.some(isParsed) ? [] : gaps.map(({finding}) => finding);
}

/** A reader of bare ciphertext accepts any whole blocks, so it tells nothing of them. */
function isBareReading({reader, toldBy}: Gathered['subjects'][number]): boolean {
  return reader?.readsBare === true && toldBy === 'length';
}

/** Data that no reader recognises as a frame must be whole blocks. */
function lengthFindings({payload, ciphertexts}: DiagnosisCase, {subjects}: Gathered): Finding[] {
  if (subjects.some((one) => one.reader && !isBareReading(one))) return [];
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

function ksnFindings({ksns}: Gathered): Finding[] {
  const all = [...ksns.given, ...ksns.message];
  if (all.length === 0) return [{label: 'ksn-missing'}];
  // Digits that only look like a KSN may belong to a masked track or an order number.
  const known = [...ksns.given, ...ksns.named].flatMap((text) => plainForms(text, 'given'));
  const [given] = ksns.given;
  if (given !== undefined && plainForms(given, 'given').length === 0) {
    const {length} = ksnDigits(given);
    const detail = `It has ${length} digits; expected 20 (16 or 18 if the leading FF bytes were dropped), or 24 for AES DUKPT.`;
    return [{label: 'ksn-malformed', detail}];
  }
  const fault = known
    .map(({ksn}) => counterFault(ksn.counter, ksn.scheme))
    .find((one) => one !== undefined);
  if (fault === 'zero') return [{label: 'ksn-counter-zero'}];
  return fault === 'bits' ? [{label: 'ksn-counter-bits'}] : [];
}

function pinFindings(
  {subjects}: Gathered,
  {pan}: DiagnosisCase,
  weak: Found | undefined,
): Finding[] {
  const isOneBlock = subjects.some(({targets}) =>
    targets.some(({ciphertext}) => ciphertext.length === 8),
  );
  const opening = weak?.opened[0]?.reading.openings[0];
  if (pan !== undefined || !isOneBlock) return [];
  const detail = isPinBlock(opening)
    ? `Under the ${weak?.key.source} it would match ${opening?.packing}.`
    : 'It is a single cipher block.';
  return [{label: 'pin-pan-needed', detail}];
}

/** Digits that only look like a KSN do not identify a key set: they may be a card number. */
function keyFindings(
  {ksns, subjects}: Gathered,
  {all}: SearchKeys,
  isComplete: boolean,
): Finding[] {
  const [ksn] = [...ksns.given, ...ksns.named].flatMap((text) => plainForms(text, 'given'));
  const isTried = isComplete && subjects.some(isParsed);
  const whose = ksn ? whoseKey(ksn.ksn.hex, isTried) : undefined;
  const own = all.filter(({origin}) => origin !== 'published');
  const detail = whose === undefined ? {} : {detail: whose};
  const components = own.filter(({kind}) => kind === 'component');
  if (own.length === 0) return [{label: 'no-key', ...detail}];
  if (components.length === own.length) return [{label: 'component-missing', ...detail}];
  return [{label: 'wrong-key', ...detail}];
}

/** A reader accepted the whole payload, so every ciphertext was tried in its proper place. */
function isParsed(subject: Subject): boolean {
  const {reader, findings} = subject;
  const isPart = findings.some(({label}) => PARTS.has(label));
  return Boolean(reader) && isIntact(subject) && !isToldByLength(subject) && !isPart;
}

const PARTS: ReadonlySet<Label> = new Set<Label>([
  'wrong-slice',
  'text-around',
  'bytes-around',
  'frame-lost-character',
  'frame-added-character',
]);
