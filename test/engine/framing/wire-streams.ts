import type {Mode} from '../../../src/contract/process-payload.js';
import type {TerminalType} from '../../../src/engine/families/registry.js';
import {isHex} from '../../../src/platform/bytes.js';
import {testCard} from '../../payloads.js';
import {simulate} from '../../writers.js';
import {testRing} from '../samples.js';

/** Terminals by the form in which their reads are sent, with the options that make it. */
const SENDERS: readonly (readonly [
  string,
  TerminalType,
  Mode,
  Readonly<Record<string, string>>,
])[] = [
  ['stx-sum', 'idtech', 'swiped', {}],
  ['stx-sum', 'idtech', 'swiped', {layout: 'original'}],
  ['stx-sum', 'idtech', 'keyed', {}],
  ['vivopay', 'idtech', 'emv', {message: 'vivotech2'}],
  ['vivopay', 'idtech', 'emv', {message: 'vivopayv3'}],
  ['vivopay', 'idtech', 'swiped', {message: 'vivotech2'}],
  ['link', 'miura', 'emv', {form: 'frames'}],
  ['link', 'miura', 'swiped', {form: 'frames'}],
  ['link', 'verifone', 'swiped', {form: 'frames'}],
  ['text', 'verifone', 'emv', {form: 'message'}],
  ['text', 'ingenico-rba', 'swiped', {}],
  ['text', 'ingenico-rba', 'emv', {}],
  ['line', 'idtech', 'swiped', {form: 'keyboard'}],
  ['line', 'magtek', 'swiped', {}],
  ['line', 'miura', 'swiped', {}],
];

/** A read as it is on the wire: a line with its end. */
export interface SentFrame {
  readonly form: string;
  readonly type: TerminalType;
  readonly wire: Buffer;
}

/** Reads of every form, each of several cards and counters. */
export const SENT_FRAMES: readonly SentFrame[] = SENDERS.flatMap(
  ([form, deviceType, mode, options]) =>
    ['visa', 'mastercard', 'amex'].flatMap((card) =>
      [1, 7, 21].map((counter) => {
        const ksn = `FFFF9876543210E${counter.toString(16).padStart(5, '0').toUpperCase()}`;
        const keys = testRing();
        const simulation = {deviceType, mode, options, card: testCard(card), ksn, keys};
        const {devicePayload} = simulate(simulation);
        const isBytes = form !== 'line' && isHex(devicePayload);
        const bytes = Buffer.from(devicePayload, isBytes ? 'hex' : 'latin1');
        return {
          form,
          type: deviceType,
          wire: form === 'line' ? Buffer.concat([bytes, Buffer.of(13)]) : bytes,
        };
      }),
    ),
);

/** Numbers from a seed (xorshift), below `limit`. */
export function numbers(seed: number): (limit: number) => number {
  let state = seed | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Whether the check of a frame matches, by the definitions of docs/terminals. */
export function isCheckRight(form: string | undefined, frame: Uint8Array): boolean {
  const xor = (from: number, to: number) => frame.subarray(from, to).reduce((a, b) => a ^ b, 0);
  const last = frame.length - 1;
  if (form === 'text') return frame[last - 1] === 3 && xor(1, last) === frame[last];
  if (form === 'stx-sum') {
    const sum = frame.subarray(3, last - 2).reduce((a, b) => (a + b) & 0xff, 0);
    return frame[last] === 3 && frame[last - 1] === sum && frame[last - 2] === xor(3, last - 2);
  }
  if (form === 'link') {
    for (let at = 0; at < frame.length; at += (frame[at + 2] ?? 0) + 4)
      if (xor(at, at + (frame[at + 2] ?? 0) + 4) !== 0) return false;
    return true;
  }
  let crc = 0xffff;
  for (const byte of frame.subarray(0, -2))
    for (let bit = 7; bit >= 0; bit--)
      crc = ((crc << 1) ^ (((crc >> 15) ^ (byte >> bit)) & 1 ? 0x1021 : 0)) & 0xffff;
  const sent = (frame[last - 1] ?? 0) * 256 + (frame[last] ?? 0);
  return sent === crc || sent === ((crc >> 8) | ((crc & 0xff) << 8));
}
