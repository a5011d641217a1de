import {TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import {writerOf} from '../../src/engine/families/terminal.js';
import {simulated} from '../../src/page/model/simulated.js';

/** The most characters that the page reads. */
const MOST = 64 * 1024;

/** Texts of 64 KiB of every kind that people paste, by name. */
export async function largePayloads(): Promise<ReadonlyMap<string, string>> {
  const swipe = await payloadOf('idtech', 'swiped');
  const tlv = await payloadOf('wisepad', 'emv');
  return new Map([
    ['TLV of wisepad', objects(MOST - tlv.length) + tlv],
    ['TLV of miura', miura(await payloadOf('miura', 'emv'))],
    ['frame log of idtech', repeated((i) => `${timeAt(i)} RX ${swipe}\n`)],
    ['random hex', hexOf(MOST / 2)],
    ['JSON of a request', json(swipe)],
    ['JSON of a till', `[${repeated((i) => `{"line": ${i}, "text": "article ${i}"},\n`, 4)}{}]`],
    ['XML of nexo', xml(await payloadOf('nexo', 'emv'))],
    ['HTML', repeated((i) => `<p class="row">line ${i} &amp; more</p>\n`)],
    ['digits', repeated((i) => String(i * 7919))],
    ['base64', Buffer.from(hexOf((MOST / 4) * 3), 'hex').toString('base64')],
    [
      'any characters',
      String.fromCharCode(...Buffer.from(hexOf(MOST), 'hex').map((byte) => 32 + (byte % 95))),
    ],
  ]);
}

/** A payload of the usual card. */
export async function payloadOf(type: TerminalType, mode: string): Promise<string> {
  const writer = await writerOf(TERMINALS[type]);
  return simulated(type, writer, {mode}, undefined).devicePayload;
}

/** Data objects of private tags, no two alike. */
function objects(digits: number): string {
  let text = '';
  for (let i = 0; text.length + 40 <= digits; i++) {
    text += `DF${hex(0x80 + (i >> 7))}${hex(i & 0x7f)}10${hexOf(16, i)}`;
  }
  return text;
}

function miura(payload: string): string {
  const [, rest = ''] = /^E4(?:81..|82....)(.*)$/.exec(payload) ?? [];
  const inner = objects(MOST - 1200) + rest;
  return `E482${hex((inner.length / 2) >> 8)}${hex((inner.length / 2) & 0xff)}${inner}`;
}

function json(devicePayload: string): string {
  const lines = Array.from({length: 1300}, (_, i) => [`member${i}`, hexOf(12, i)]);
  return JSON.stringify(
    {deviceType: 'idtech', devicePayload, ...Object.fromEntries(lines)},
    null,
    2,
  );
}

function xml(whole: string): string {
  const extra = repeated((i) => `<AddtlInf${i}>till ${i}</AddtlInf${i}>`, whole.length + 20);
  return whole.replace('<AuthstnReq>', `<AuthstnReq>${extra}`);
}

function repeated(line: (i: number) => string, less = 0): string {
  let text = '';
  for (let i = 0; ; i++) {
    const next = line(i);
    if (text.length + next.length > MOST - less) return text;
    text += next;
  }
}

/** Bytes that look random, the same in each run. */
function hexOf(bytes: number, seed = 1): string {
  let state = seed * 2654435761 + 12345;
  return Array.from({length: bytes}, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return hex(state >>> 24);
  }).join('');
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

function timeAt(i: number): string {
  return `2026-01-02 07:50:${String(i % 60).padStart(2, '0')}.${String(i % 1000).padStart(3, '0')}`;
}
