import type {DiagnosisCase, SearchKeys} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import type {IvSource} from '../../input/interpretation.js';
import type {Steps} from '../../input/steps.js';
import {hexOf, upperHexOf} from '../../platform/bytes.js';
import type {KeyRole} from '../candidates/key-candidates.js';
import {type Finding, ranked} from '../finding.js';
import {LABELS, type Label} from '../labels.js';
import {pansIn} from '../plaintext/open-card.js';
import {isPinBlock} from '../plaintext/opened-plaintext.js';
import {deviceTypeOf, type KeyMatch, type OpenedTarget} from '../search/key-match.js';
import type {TrialSetting} from '../search/working-keys.js';
import {contradictions} from './contradictions.js';
import {explainKeys} from './explain-keys.js';
import {explainKsn} from './explain-ksn.js';
import {typoOf} from './explain-typo.js';
import {gapsBeside, missingParts} from './missing-parts.js';
import {works} from './next-step.js';
import {otherReads} from './other-reads.js';
import {packingFindings} from './packing-findings.js';
import {cutOf, leavesRest} from './reader-refusals.js';

/** Findings of a solved case: the mistakes first, then how it is encrypted. */
export function* findingsOf(
  found: KeyMatch,
  given: DiagnosisCase,
  clues: Clues,
  keys: SearchKeys,
): Steps<Finding[]> {
  const {interpretation} = found.probe;
  const all = [
    ...interpretation.findings.map((one) =>
      leavesRest(one) ? (cutOf(interpretation, clues) ?? one) : one,
    ),
    ...explainKsn(found, clues),
    ...found.opened.flatMap((one) => [
      ...modeFindings(one),
      ...ivFindings(one, given),
      ...damageFindings(one),
    ]),
    ...settingFindings(found),
    ...keyFindings(found, keys),
    ...explainKeys(found, keys, clues),
    ...packingFindings(found),
    ...expectedFindings(found, given),
    ...misspelledFindings(given),
    ...typeFindings(found, given),
    ...missingParts(found),
    ...gapsBeside(found, clues.gaps),
    ...contradictions(found, clues, given.deviceType),
    ...(yield* otherReads(found, clues)),
  ];
  const isPlain = opensAsGiven(found, given, clues);
  return ranked(isPlain ? [{label: 'decrypts-plainly'}, ...all.map(asFormat)] : all);
}

/** A setting that the format itself specifies: nobody needs to choose it. */
function asFormat(one: Finding): Finding {
  const {rank, subject} = LABELS[one.label];
  const isFormat = rank === 'setting' && subject !== 'key: all' && subject !== 'key: role';
  return isFormat ? {...one, rank: 'background'} : one;
}

/** Reports members of a request that have other names than those of the interface. */
export function misspelledFindings({misspelled = []}: DiagnosisCase): Finding[] {
  return misspelled.map(([given, meant]) => {
    return {label: 'name-mistyped', detail: `In a request, "${given}" must be ${meant}.`};
  });
}

/** Reports a deviceType that no request may have. */
function typeFindings(found: KeyMatch, {isOfNoType, deviceType}: DiagnosisCase): Finding[] {
  const type = deviceTypeOf(found);
  if (!isOfNoType || deviceType !== undefined || type === undefined) return [];
  return [{label: 'wrong-type', detail: `In the request, deviceType must be ${type}.`}];
}

/** Reports a plaintext that differs from what the user expected, or another card number. */
function expectedFindings({opened, probe}: KeyMatch, {pan = ''}: DiagnosisCase): Finding[] {
  const {expected} = probe;
  const plains = opened.map(({reading}) => hexOf(reading.plain));
  const isMet = expected.some((one) => plains.some((plain) => plain.startsWith(one)));
  if (expected.length > 0 && !isMet) return [{label: 'expected-differs'}];
  const pans = opened.flatMap(({reading}) => pansIn(reading.openings));
  const wanted = pan.replaceAll(/[ -]/g, '');
  const isOther = /^\d{12,19}$/.test(wanted) && pans.length > 0 && !pans.includes(wanted);
  const detail = 'Its card number is not the `pan` of the case.';
  return isOther ? [{label: 'expected-differs', detail}] : [];
}

/** True if `decrypt` can decrypt the input exactly as given, provided that it has the key. */
function opensAsGiven(
  found: KeyMatch,
  {payload, ksn, iv, deviceType, isOfNoType}: DiagnosisCase,
  {terminals}: Clues,
): boolean {
  if (isOfNoType) return false;
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
  return !key.adjustIk && works(request, found, terminals);
}

const ROLE_LABELS: Readonly<Record<KeyRole, Label>> = {
  bdk: 'key-is-bdk',
  ik: 'key-is-ik',
  transaction: 'key-is-transaction-key',
  working: 'key-is-working-key',
};

function keyFindings(found: KeyMatch, keys: SearchKeys): Finding[] {
  const {origin, source, change, role, kind} = found.key;
  const findings: Finding[] = [];
  if (origin === 'published' && !change)
    findings.push({label: 'test-key', detail: `It is the ${source}.`});
  if (change) {
    const {places, correction} = typoOf(found, keys);
    findings.push({label: change, detail: `${source}.${places}`, of: source, correction});
  }
  if (origin !== 'published' && (kind !== role || kind === 'working')) {
    const was = kind && kind !== 'unknown' ? ` It was given as ${kind}.` : '';
    const rank = was !== '' && kind !== role ? 'mistake' : 'setting';
    findings.push({label: ROLE_LABELS[role], detail: `${source}.${was}`, of: source, rank});
  }
  return findings;
}

function settingFindings({setting, key, opened, ksn, probe}: KeyMatch): Finding[] {
  const {variant, selfEncrypted, usage} = setting;
  if (usage !== undefined) {
    const dukpt: Finding = {label: 'aes-dukpt', detail: `Key usage: ${usage}.`};
    return ksn?.ksn.scheme === 'tdes' ? [dukpt, {label: 'aes-compatibility'}] : [dukpt];
  }
  if (key.role === 'working') return [];
  const findings: Finding[] = setting.algorithm === 'aes' ? [{label: 'aes-under-tdes'}] : [];
  findings.push({label: variantLabel(setting)});
  const asked = probe.target.setting;
  if (asked && (asked.variant !== variant || asked.selfEncrypted !== selfEncrypted)) {
    const what = `${asked.variant}${asked.selfEncrypted ? ', self-encrypted' : ''}`;
    findings.push({label: 'wrong-variant', detail: `Requested: ${what}.`});
  }
  const isPin = opened.every(({reading}) => isPinBlock(reading.openings[0]));
  if (isPin && (variant !== 'pin' || selfEncrypted)) findings.push({label: 'pin-transaction-key'});
  return findings;
}

function variantLabel({variant, selfEncrypted}: TrialSetting): Label {
  if (variant === 'data') return selfEncrypted ? 'variant-data' : 'variant-data-plain';
  if (variant === 'pin') return 'variant-pin';
  if (variant === 'mac') return 'variant-mac';
  return variant === 'none' ? 'variant-none' : 'variant-response';
}

function modeFindings({target, reading}: OpenedTarget): Finding[] {
  const {name: of} = target;
  const {mode, restarts = [], openings} = reading;
  const asked = target.setting?.mode;
  const findings: Finding[] = [];
  if (mode === 'ecb' && asked !== 'ecb' && !isPinBlock(openings[0]))
    findings.push({label: 'mode-ecb', of});
  if (mode === undefined) findings.push({label: 'mode-unproven', detail: `${of}.`, of});
  if (mode === 'cbc' && asked === 'ecb') findings.push({label: 'mode-cbc', of});
  if (restarts.length > 0) {
    const detail = `${of}: CBC chaining restarts at byte ${restarts.join(', ')}.`;
    findings.push({label: 'chain-restart', detail});
  }
  return findings;
}

const IV_FINDINGS: Readonly<Partial<Record<IvSource, Finding>>> = {
  hidden: {label: 'iv-hidden', detail: 'It is a value in the payload.'},
  prepended: {label: 'iv-hidden', detail: 'It precedes the ciphertext, as its first block.'},
  own: {label: 'iv-hidden', detail: 'The payload contains it.'},
  given: {label: 'iv-given'},
};

function ivFindings({target, reading}: OpenedTarget, given: DiagnosisCase): Finding[] {
  const {name: of} = target;
  const {mode, iv, damage} = reading;
  const missing = (bytes: number, more = ''): Finding[] => [
    {label: 'iv-missing', detail: `${of}: bytes 0 to ${bytes - 1}.${more}`, of},
  ];
  if (!iv) return missing(damage?.[0]?.to ?? 8);
  if (iv.source === 'computed') {
    const {length} = iv.bytes;
    return missing(length, ` The expected plaintext gives the IV ${upperHexOf(iv.bytes)}.`);
  }
  if (iv.source === 'written')
    return [{label: 'iv-malformed', detail: `Its bytes are ${upperHexOf(iv.bytes)}.`, of}];
  const found = IV_FINDINGS[iv.source];
  if (found) return [{...found, of}];
  const digits = given.iv?.replaceAll(/0x|[^\da-f]/gi, '') ?? '';
  if (mode !== 'cbc' || /^(?:0{16}|0{32})?$/.test(digits)) return [];
  const isOther = /[1-9a-f]/i.test(digits);
  const detail = `Given ${digits.length} digits; expected 16, or 32 for AES.`;
  return [{label: 'iv-not-used', of, ...(!isOther && {detail})}];
}

function damageFindings({target, reading: {iv, damage}}: OpenedTarget): Finding[] {
  if (!iv || !damage) return [];
  const ranges = damage.map(({from, to}) => `${from} to ${to - 1}`).join(' and ');
  const detail = `${target.name}: bytes ${ranges} of the plaintext are lost.`;
  return [{label: 'data-damaged', detail}];
}
