import {createHash} from 'node:crypto';
import {ERROR_CODES} from '../../../src/contract/error-catalogue.js';
import {
  TERMINAL_TYPES,
  type TerminalRequest,
  type TerminalType,
} from '../../../src/engine/devices/registry.js';
import type {KeyRing} from '../../../src/engine/dukpt/key-ring.js';
import type {Part, Trace} from '../../../src/engine/trace.js';
import {cpuMilliseconds} from '../../cpu-time.js';
import {answer, readSamples, type Sample, testRing} from '../samples.js';

/** The resulting PAN, or the code of the error; other exceptions are thrown. */
export function outcomeOf(
  request: TerminalRequest,
  ring: KeyRing = testRing(),
): {pan: string} | {code: number} {
  const found = answer(request, ring);
  if ('response' in found) return {pan: found.response.extracted.PAN};
  return {code: Number(found.errCode)};
}

/** The fault of an outcome: a PAN of no card, or a code that a reader must not give. */
export function faultOf(
  outcome: ReturnType<typeof outcomeOf>,
  pans: ReadonlySet<string>,
): string | undefined {
  if ('pan' in outcome) return pans.has(outcome.pan) ? undefined : 'another card';
  const isTyped = (ERROR_CODES as readonly number[]).includes(outcome.code) && outcome.code > 1000;
  return isTyped ? undefined : `code ${outcome.code}`;
}

/** The card numbers in the responses to a type's samples. */
export function cardsOf(samples: readonly Sample[]): Set<string> {
  const pans = samples.map(({expect}) => {
    const response = expect.response as {extracted?: {PAN?: string}} | undefined;
    return response?.extracted?.PAN;
  });
  return new Set(pans.filter((pan) => pan !== undefined));
}

/** Every prefix of `payload`, the empty one included. */
export function cuts(payload: string): string[] {
  return Array.from(payload, (_, i) => payload.slice(0, i));
}

/**
 * `payload` with one character changed: its lowest bit, its fourth, or to one that no format uses.
 */
export function flips(payload: string): string[] {
  return Array.from(payload, (character, i) => {
    const code = character.charCodeAt(0);
    const others = [code ^ 1, code ^ 8, 0x7e].map((other) => String.fromCharCode(other));
    return others.map((other) => payload.slice(0, i) + other + payload.slice(i + 1));
  }).flat();
}

/** Pseudo-random bytes: SHA-256 of a counter, so that a failure is reproducible. */
export function randomBytes(seed: number, length: number): Buffer {
  const blocks = Array.from({length: Math.ceil(length / 32)}, (_, i) =>
    createHash('sha256').update(`${seed} ${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** The samples of every other type, as payloads of `type`. */
export function foreignPayloads(type: TerminalType, names: readonly string[]): string[] {
  const others = TERMINAL_TYPES.filter((other) => other !== type && names.includes(other));
  return others.flatMap((other) =>
    readSamples(other).map((sample) => sample.request.devicePayload),
  );
}

/** Positions where the parts of a trace leave a gap, overlap or do not end at `length`. */
export function untiled({parts}: Trace, length: number): string | undefined {
  let at = 0;
  for (const part of parts) {
    if (part.offset !== at) return `${describe(part)}: expected offset ${at}`;
    at += part.length;
  }
  return at === length ? undefined : `parts end at ${at}, expected ${length}`;
}

function describe({name, offset, length}: Part): string {
  return `${name} at ${offset}, length ${length}`;
}

/** 64 KiB that are hard for readers of TLV, hex and text. */
export const HARD_PAYLOADS: Readonly<Record<string, string>> = {
  'nested templates': 'E183007FFC'.repeat(6_500),
  'short nested templates': 'E17F'.repeat(16_000),
  'indefinite templates': 'E180'.repeat(16_000),
  zeros: '0'.repeat(65_536),
  FFs: 'F'.repeat(65_536),
  '80 and zeros': `80${'00'.repeat(32_766)}01`,
  'empty objects': '5000'.repeat(16_384),
  'runs of zeros': '00005000'.repeat(8_192),
  'endless tags': '5F'.repeat(32_768),
  'empty blobs': 'DFAE0200'.repeat(8_192),
  'blobs and KSNs': `DFAE020800112233445566${'77'}DFAE030AFFFF9876543210E00001`.repeat(1_260),
  'blobs, then one KSN': `${'DFAE02080011223344556677'.repeat(2_700)}DFAE030AFFFF9876543210E00001`,
  'SRED blocks': 'FF7F1FDFDF10080011223344556677DFDF110AFFFF9876543210E00001'.repeat(1_100),
  'empty frames': '010000'.concat('01').repeat(8_000),
  'frames of a chain': '01010001'.repeat(8_000),
  'frames of status words': `010002900093`.repeat(5_400),
  'clear names': '5F20024142'.repeat(6_500),
  quotes: '00"'.repeat(21_845),
  bars: '|'.repeat(65_536),
  'text members': `TVP|${'iv:00|'.repeat(10_000)}`,
  'control characters': `\x02E07${'[FS]'.repeat(16_000)}`,
  'base64 text': `35AP${'A'.repeat(65_532)}`,
  blanks: `E1${' '.repeat(65_534)}`,
  braces: '{"a":'.repeat(13_107),
  pairs: 'ksn=1;'.repeat(10_900),
  'lines of one member': 'encTracks: 00\n'.repeat(4_600),
  'lines without a label': `KSN: 1\n${'a'.repeat(65_000)}`,
  'a dump of commas': `{a=1${', b'.repeat(21_000)}}`,
  'a dump of one value': `{a=${'b'.repeat(65_000)}}`,
  'names of other case': `{${['ksn', 'kSn', 'KSN', 'Ksn'].map((name) => `"${name}":"1"`).join(',')}}`,
  'empty ciphertexts': 'C200C000'.repeat(8_000),
  'messages and KSNs': `${'C2080011223344556677'.repeat(3_200)}C00AFFFF9876543210E00001`,
  'fields of a card read': `23.0M${'\x1c'.repeat(65_000)}`,
  'tags of an EMV message': `33.0300A1${'\x1cT9F02:06:h000000000100'.repeat(2_900)}`,
  'card data of separators': `87.0M${'\x1c1'.repeat(32_000)}`,
  'separators of tracks': `FFFF9876543210E00001:4:0000:${'7C'.repeat(32_000)}`,
  colons: ':'.repeat(65_536),
};

/** The shortest of several runs, in milliseconds of CPU time. */
export function quickest(run: () => unknown, enough: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10 && best >= enough; i++) {
    best = Math.min(best, cpuMilliseconds(run));
  }
  return best;
}
