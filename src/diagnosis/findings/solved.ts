import type {DiagnosisCase, KeyChange, SearchKeys} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import {hexOf, upperHexOf} from '../../platform/bytes.js';
import type {KeyRole} from '../candidates/key-candidates.js';
import {distinctFindings, type Finding} from '../finding.js';
import type {Label} from '../labels.js';
import {isPinBlock} from '../plaintext/opened-plaintext.js';
import {deviceTypeOf, type KeyMatch} from '../search/key-match.js';
import {contradictions} from './contradictions.js';
import {explainKeys} from './explain-keys.js';
import {explainKsn} from './explain-ksn.js';
import {gapsBeside, missingParts} from './missing-parts.js';
import {works} from './next-step.js';
import {otherReads} from './other-reads.js';
import {packingFindings} from './packing-findings.js';

/** Findings of a solved case: the mistakes first, then how it is encrypted. */
export function findingsOf(
  found: KeyMatch,
  given: DiagnosisCase,
  clues: Clues,
  keys: SearchKeys,
): Finding[] {
  const {interpretation} = found.probe;
  const ofKeys = explainKeys(found, keys, clues);
  const all = [
    ...interpretation.findings,
    ...explainKsn(found, clues),
    ...keyFindings(found),
    ...ofKeys,
    ...settingFindings(found),
    ...chainFindings(found, given),
    ...packingFindings(found),
    ...expectedFindings(found),
    ...missingParts(found),
    ...gapsBeside(found, clues.gaps),
    ...contradictions(found, clues),
    ...otherReads(found, clues),
  ];
  const isPlain = opensAsGiven(found, given, clues);
  const facts = isPlain ? all.filter(({label}) => !CHANGED.has(label)) : all;
  const mistakes = facts.filter(({label}) => !NEUTRAL.has(label));
  const isRightKey = ofKeys.every(({label}) => NEUTRAL.has(label));
  const plain = isPlain && isRightKey ? [{label: 'decrypts-plainly'} as const] : [];
  return distinctFindings([...plain, ...mistakes, ...facts]);
}

/** Reports a plaintext that differs from what the user expected. */
function expectedFindings({opened, probe}: KeyMatch): Finding[] {
  const {expected} = probe;
  const plains = opened.map(({reading}) => hexOf(reading.plain));
  const isMet = expected.some((one) => plains.some((plain) => plain.startsWith(one)));
  return expected.length === 0 || isMet ? [] : [{label: 'expected-differs'}];
}

/** True if `decrypt` can decrypt the input exactly as given, provided that it has the key. */
function opensAsGiven(
  found: KeyMatch,
  {payload, ksn, iv, deviceType}: DiagnosisCase,
  {terminals}: Clues,
): boolean {
  const own = deviceTypeOf(found);
  const {key} = found;
  if (payload === undefined || !found.ksn || (key.role !== 'bdk' && key.role !== 'ik'))
    return false;
  // No command accepts a format that is not a device type.
  if (own !== undefined && !terminals.has(own)) {
    return found.probe.interpretation.payload === payload && !key.change;
  }
  const type = deviceType ?? own;
  if (type === undefined) return false;
  const request = {deviceType: type, devicePayload: payload, ksn, iv};
  return !key.adjustIk && works(request, found, {ksn: found.ksn.ksn, terminals});
}

/** Settings that count as a mistake only if the terminal's own format does not use them. */
const CHANGED: ReadonlySet<Label> = new Set<Label>([
  'wrong-variant',
  'mode-ecb',
  'aes-under-tdes',
  'ksn-of-message',
  'ksn-padded',
  'variant-data-plain',
  'packing-text',
]);

/** Labels that report a fact, not a mistake. */
const NEUTRAL: ReadonlySet<Label> = new Set<Label>([
  'frame-intact',
  'test-key',
  'key-is-bdk',
  'variant-data',
  'variant-pin',
  'mode-cbc',
  'iv-hidden',
  'iv-given',
  'ksn-many-bits',
  'packing-4bit',
  'packing-6bit',
  'packing-bcd',
  'packing-tlv',
  'padding-counted',
  'no-sentinels',
  'hand-keyed',
  'cvv2-not-on-stripe',
  'aes-dukpt',
  'pin-block',
]);

const ROLE_LABELS: Readonly<Record<KeyRole, Label>> = {
  bdk: 'key-is-bdk',
  ik: 'key-is-ik',
  transaction: 'key-is-transaction-key',
  working: 'key-is-working-key',
};

const STATED_ROLES: Readonly<Record<string, readonly KeyRole[]>> = {
  bdk: ['bdk'],
  ik: ['ik'],
  working: ['transaction', 'working'],
};

const CHANGE_LABELS: Readonly<Record<KeyChange, Label>> = {
  components: 'components-combined',
  parity: 'key-parity',
  'halves-swapped': 'key-halves',
  'halves-joined': 'key-halves',
  typo: 'key-mistyped',
  'digit-missing': 'key-digit-count',
  'digit-added': 'key-digit-count',
  'hex-of-hex': 'hex-as-text',
  cut: 'key-halves',
};

function keyFindings({key}: KeyMatch): Finding[] {
  const findings: Finding[] = [];
  if (key.origin === 'published')
    findings.push({label: 'test-key', detail: `It is the ${key.source}.`});
  if (key.change) {
    const place = key.digit === undefined ? '' : ` Digit ${key.digit} of ${2 * key.bytes.length}.`;
    findings.push({label: CHANGE_LABELS[key.change], detail: `${key.source}.${place}`});
  }
  const isStated = STATED_ROLES[key.kind ?? '']?.includes(key.role) ?? false;
  if (key.origin !== 'published' && (!isStated || key.kind === 'working')) {
    const was = key.kind && key.kind !== 'unknown' ? ` It was given as ${key.kind}.` : '';
    findings.push({label: ROLE_LABELS[key.role], detail: `${key.source}.${was}`});
  }
  return findings;
}

function settingFindings(found: KeyMatch): Finding[] {
  const {setting, key, opened} = found;
  const findings: Finding[] = [];
  const isPin = opened.every(({reading}) => isPinBlock(reading.openings[0]));
  if (setting.usage !== undefined) {
    findings.push({label: 'aes-dukpt', detail: `Key usage: ${setting.usage}.`});
    if (found.ksn?.ksn.scheme === 'tdes') findings.push({label: 'aes-compatibility'});
  } else if (setting.algorithm === 'aes' && key.role !== 'working') {
    findings.push({label: 'aes-under-tdes'});
  }
  if (key.role !== 'working' && setting.usage === undefined) {
    findings.push({label: variantLabel(found)});
  }
  const expected = found.probe.target.setting;
  if (expected && key.role !== 'working' && setting.usage === undefined) {
    const same =
      expected.variant === setting.variant && expected.selfEncrypted === setting.selfEncrypted;
    if (!same) {
      const asked = `${expected.variant}${expected.selfEncrypted ? ', self-encrypted' : ''}`;
      findings.push({label: 'wrong-variant', detail: `Requested: ${asked}.`});
    }
  }
  if (
    isPin &&
    setting.usage === undefined &&
    (setting.variant !== 'pin' || setting.selfEncrypted)
  ) {
    if (key.role !== 'working') findings.push({label: 'pin-transaction-key'});
  }
  return findings;
}

function variantLabel({setting: {variant, selfEncrypted}}: KeyMatch): Label {
  if (variant === 'data') return selfEncrypted ? 'variant-data' : 'variant-data-plain';
  if (variant === 'pin') return 'variant-pin';
  if (variant === 'mac') return 'variant-mac';
  return variant === 'none' ? 'variant-none' : 'variant-response';
}

function chainFindings({opened}: KeyMatch, given: DiagnosisCase): Finding[] {
  const findings: Finding[] = [];
  for (const {target, reading} of opened) {
    const {mode, iv, restarts, damage, openings} = reading;
    const asked = target.setting?.mode;
    if (mode === 'ecb' && asked !== 'ecb' && !isPinBlock(openings[0]))
      findings.push({label: 'mode-ecb'});
    if (mode === undefined) findings.push({label: 'mode-unproven', detail: `${target.name}.`});
    if (mode === 'cbc' && asked === 'ecb') findings.push({label: 'mode-cbc'});
    if (restarts.length > 0) {
      const detail = `${target.name}: CBC chaining restarts at byte ${restarts.join(', ')}.`;
      findings.push({label: 'chain-restart', detail});
    }
    if (!iv)
      findings.push({
        label: 'iv-missing',
        detail: `${target.name}: bytes 0 to ${(damage?.[0]?.to ?? 8) - 1}.`,
      });
    else if (iv.source === 'hidden')
      findings.push({label: 'iv-hidden', detail: 'It is a value in the payload.'});
    else if (iv.source === 'prepended') {
      findings.push({
        label: 'iv-hidden',
        detail: 'It precedes the ciphertext, as its first block.',
      });
    } else if (iv.source === 'computed') {
      const bytes = `bytes 0 to ${iv.bytes.length - 1}`;
      const detail = `${target.name}: ${bytes}. The expected plaintext gives the IV ${upperHexOf(iv.bytes)}.`;
      findings.push({label: 'iv-missing', detail});
    } else if (iv.source === 'own')
      findings.push({label: 'iv-hidden', detail: 'The payload contains it.'});
    else if (iv.source === 'given') findings.push({label: 'iv-given'});
    else if (isNonZero(given.iv) && mode === 'cbc') findings.push({label: 'iv-not-used'});
    if (iv && damage) {
      const ranges = damage.map(({from, to}) => `${from} to ${to - 1}`).join(' and ');
      const detail = `${target.name}: bytes ${ranges} of the plaintext are lost.`;
      findings.push({label: 'data-damaged', detail});
    }
  }
  return findings;
}

function isNonZero(iv: string | undefined): boolean {
  return iv !== undefined && /[1-9a-f]/i.test(iv.replaceAll(/0x/gi, ''));
}
