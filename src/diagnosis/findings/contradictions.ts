import type {EncryptedField} from '../../engine/reading.js';
import {Trace} from '../../engine/trace.js';
import {isSameBytes} from '../../platform/bytes.js';
import {attempt} from '../attempt.js';
import type {Finding} from '../finding.js';
import type {Gathered} from '../input/clues.js';
import {isToldByLength, type Subject} from '../input/interpretation.js';
import {isIntact} from '../input/read-form.js';
import type {Label} from '../labels.js';
import {isWholeCard} from '../plaintext/opened-plaintext.js';
import type {Found, OpenedTarget} from '../search/key-match.js';
import {rejection} from './next-step.js';

/**
 * What contradicts data that decrypts: a masked copy, a hash, another field, a MAC. The fields open
 * one by one, as their format specifies, and yet `decrypt` rejects the whole.
 */
export function contradictions(found: Found, gathered: Gathered): Finding[] {
  const {subject} = found.probe;
  const read = [subject, ...gathered.subjects].find((one) => isSpecified(one, found));
  const error = read && rejection({...found, probe: probeOf(found, read)}, gathered.terminals);
  const label = REJECTIONS[error?.code ?? 0];
  if (error && label) return [{label, detail: error.detail}];
  // A key that no command takes, such as a transaction key, leaves the fields alone.
  return subject.reader && subject.toldBy === undefined ? refusedFields(found) : [];
}

const REJECTIONS: Readonly<Record<number, Label>> = {
  2101: 'frame-damaged',
  2601: 'masked-copy-differs',
};

function probeOf({probe}: Found, subject: Subject): Found['probe'] {
  return {...probe, subject, target: subject.targets[0] ?? probe.target};
}

/** True for a reading of the payload whose fields are those that opened, encrypted as it says. */
function isSpecified(subject: Subject, {opened, key}: Found): boolean {
  const {reader, payload = ''} = subject;
  if (!reader || isToldByLength(subject) || !isIntact(subject)) return false;
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

function isAsSet(
  one: OpenedTarget,
  {setting: format}: EncryptedField,
  {role}: Found['key'],
): boolean {
  const {
    reading: {mode, iv, damage, restarts, openings},
    setting,
  } = one;
  if (!iv || damage || restarts.length > 0 || !openings.some(holdsCard)) return false;
  if (mode !== undefined && mode !== format.mode) return false;
  if (role === 'working' || setting.usage !== undefined) return true;
  return setting.variant === format.variant && setting.selfEncrypted === format.selfEncrypted;
}

/** A card, or text with its number. */
function holdsCard({content, packing, text}: OpenedTarget['reading']['openings'][number]): boolean {
  return content !== undefined || (packing === 'text' && /\d{12}/.test(text));
}

function refusedFields({opened}: Found): Finding[] {
  return opened.flatMap(({target, reading: {refused, openings}}): Finding[] =>
    refused !== undefined && openings.every(isWholeCard)
      ? [{label: 'masked-copy-differs', detail: refused || target.name}]
      : [],
  );
}
