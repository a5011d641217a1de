import {type EncryptedField, MistypedName} from '../../engine/reading.js';
import {Trace} from '../../engine/trace.js';
import {attempt} from '../../input/attempt.js';
import type {Clues} from '../../input/clues.js';
import {type Interpretation, isReading, isRecognisedByLength} from '../../input/interpretation.js';
import {isSameBytes} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import type {Label} from '../labels.js';
import {isWholeCard, type Opening} from '../plaintext/opened-plaintext.js';
import type {KeyMatch, OpenedTarget} from '../search/key-match.js';
import {contradictionOf, rejection} from './next-step.js';

/**
 * What contradicts data that decrypts: a masked copy, a hash, another field, a MAC; or a mistyped name.
 * The fields open one by one, as their format specifies, and yet `decrypt` rejects the whole.
 */
export function contradictions(found: KeyMatch, clues: Clues, deviceType?: string): Finding[] {
  const {interpretation} = found.probe;
  const read = [interpretation, ...clues.interpretations].find((one) => isSpecified(one, found));
  const target = read?.targets[0] ?? found.probe.target;
  const probe = {...found.probe, interpretation: read ?? interpretation, target};
  const error = read && rejection({...found, probe}, clues.terminals);
  const isName = error?.cause instanceof MistypedName;
  const label = isName ? 'name-mistyped' : REJECTIONS[error?.code ?? 0];
  if (error && label) return [{label, detail: error.detail}];
  const masked = contradictionOf(found);
  if (masked) return [{label: 'masked-copy-differs', detail: masked.detail}];
  const bare = bareReadingOf(found, clues, deviceType);
  if (bare) return damageOf({...found, probe: {...found.probe, interpretation: bare}}, clues);
  // A key that no command takes, such as a transaction key, leaves the fields alone.
  if (!interpretation.reader || interpretation.recognisedBy !== undefined) return [];
  return found.opened.flatMap(({target: {name}, reading: {refused, openings}}): Finding[] =>
    refused !== undefined && openings.every(isWholeCard)
      ? [{label: 'masked-copy-differs', detail: refused || name}]
      : [],
  );
}

/** How the terminal that was named reads the bare ciphertext that opened. */
function bareReadingOf(
  {probe, opened}: KeyMatch,
  {interpretations}: Clues,
  deviceType: string | undefined,
): Interpretation | undefined {
  const isOpened = ({targets}: Interpretation) =>
    targets.every(({ciphertext}) =>
      opened.some((one) => isSameBytes(one.target.ciphertext, ciphertext)),
    );
  return [probe.interpretation, ...interpretations].find(
    (one) => isRecognisedByLength(one) && one.reader?.type === deviceType && isOpened(one),
  );
}

/** Why bare ciphertext is refused that opens, and reads like card data. */
function damageOf(found: KeyMatch, {terminals}: Clues): Finding[] {
  const isWhole = found.opened.every(({reading: {iv, damage}}) => iv && !damage);
  const hasCard = found.opened.some(({reading: {openings}}) => openings.some(isCard));
  const refusal = isWhole && hasCard ? rejection(found, terminals) : undefined;
  return refusal?.code === 2601 || refusal?.code === 2102
    ? [{label: 'data-damaged', detail: `${refusal.detail}.`}]
    : [];
}

const REJECTIONS: Readonly<Record<number, Label>> = {
  2101: 'frame-damaged',
  2601: 'masked-copy-differs',
};

/** True for a reading of the payload whose fields are those that opened, encrypted as it says. */
function isSpecified(interpretation: Interpretation, {opened, key}: KeyMatch): boolean {
  if (!isReading(interpretation)) return false;
  const {reader, payload = ''} = interpretation;
  const reading = attempt(() => reader.read(payload, new Trace({recording: false})));
  const candidates = reading?.candidates.filter((fields) => fields.length > 0) ?? [];
  return candidates.some((fields) =>
    fields.every((field) =>
      opened.some(
        (one) => isSameBytes(one.target.ciphertext, field.ciphertext) && isAsSet(one, field, key),
      ),
    ),
  );
}

function isCard({content, packing, text}: Opening): boolean {
  return content !== undefined || (packing === 'text' && /\d{12}/.test(text));
}

function isAsSet(
  {setting, target, ksn, reading}: OpenedTarget,
  {setting: format}: EncryptedField,
  {role}: KeyMatch['key'],
): boolean {
  const {mode, iv, damage, restarts = [], openings} = reading;
  // Under the KSN that it was sent with nothing opens, which says nothing of the data.
  if (target.ksn !== undefined && ksn && target.ksn.toUpperCase() !== ksn.ksn.hex) return false;
  if (!iv || damage || restarts.length > 0 || !openings.some(isCard)) return false;
  if (mode !== undefined && mode !== format.mode) return false;
  if (role === 'working' || setting.usage !== undefined) return true;
  return setting.variant === format.variant && setting.selfEncrypted === format.selfEncrypted;
}
