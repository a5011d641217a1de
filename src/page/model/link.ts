import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {parseJsonObject} from '../../contract/parse-json.js';
import {TERMINAL_TYPES, type TerminalType} from '../../engine/families/registry.js';
import {base64UrlOf, bytesFromBase64, bytesFromUtf8, utf8Of} from '../../platform/bytes.js';
import {unlessThrown} from '../../platform/unless-thrown.js';
import {TEST_CARDS} from '../../simulator/test-cards.js';
import type {Exploration} from './explore.js';
import {MAX_INPUT_BYTES, type RequestFields} from './read-input.js';
import {SAMPLE_REQUESTS} from './samples.js';

/** What a link holds of a read, and nothing of the text around its payload. */
export interface Linked extends RequestFields {
  readonly payload: string;
  readonly terminal: TerminalType | undefined;
}

/** What a link to a read holds. */
export function linkedOf({input: {payload, terminal, ksn, iv, request}}: Exploration): Linked {
  return {payload, terminal: terminal ?? terminalOf(request?.deviceType), ksn, iv};
}

/** Base64 of the largest payload, as JSON with escapes. */
const MAX_LINK_CHARS = 8 * MAX_INPUT_BYTES;

/** The fragment of a link; a browser never sends it. */
export function fragmentOf(linked: Linked): string {
  return `#p=${base64UrlOf(bytesFromUtf8(JSON.stringify(linked)))}`;
}

/** What a fragment holds; undefined where it is no link of this page. */
export function linkedBy(fragment: string): Linked | undefined {
  const [, coded = ''] = /^#p=([\w-]+)$/.exec(fragment) ?? [];
  if (coded === '' || coded.length > MAX_LINK_CHARS) return undefined;
  return unlessThrown(() => {
    const base64 = coded.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = bytesFromBase64(base64.padEnd(4 * Math.ceil(base64.length / 4), '='));
    const {payload, terminal, ksn, iv} = parseJsonObject(utf8Of(bytes ?? new Uint8Array()));
    if (typeof payload !== 'string' || payload.length > MAX_INPUT_BYTES) return undefined;
    return {payload, terminal: terminalOf(terminal), ksn: textIn(ksn), iv: textIn(iv)};
  });
}

function terminalOf(name: unknown): TerminalType | undefined {
  return TERMINAL_TYPES.find((type) => type === name);
}

function textIn(member: unknown): string | undefined {
  return typeof member === 'string' ? member : undefined;
}

/** Whether a card number was typed as the KSN or the IV. */
export function isCardBeside({input: {ksn, iv}}: Exploration): boolean {
  return [ksn, iv].some((text = '') => redactCardNumbers(text) !== text);
}

/**
 * Whether a payload may be in a link: it opens with a published test key and holds a published test
 * card, or it is a sample.
 */
export function isPublished({input: {payload}, opened}: Exploration): boolean {
  if (SAMPLE_REQUESTS.some((sample) => sample.payload === payload)) return true;
  const pan = opened?.isPublishedKey ? opened.result.extracted.PAN : undefined;
  return pan !== undefined && TEST_CARDS.some((card) => card.pan === pan);
}
