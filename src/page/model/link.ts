import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {parseJsonObject} from '../../contract/parse-json.js';
import {TERMINAL_TYPES, type TerminalType} from '../../engine/families/registry.js';
import {hexOfCell} from '../../engine/inspection/cells.js';
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

/** What a link to a read holds: a variant and a mode that were chosen are in its payload. */
export function linkedOf({input}: Exploration): Linked {
  const {terminal, ksn, iv, variant, mode, request} = input;
  const type = terminalOf(request?.deviceType);
  if (!request || (variant ?? mode) === undefined)
    return {payload: input.payload, terminal: terminal ?? type, ksn, iv};
  return {payload: request.devicePayload, terminal: type, ksn, iv};
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

/** Whether a card number was typed as the KSN, the IV or the serial number. */
export function isCardBeside({input: {ksn, iv, request}}: Exploration): boolean {
  return [ksn, iv, request?.deviceSerial].some((text = '') => holdsCard(text));
}

/**
 * Whether a payload may be in a link: it opens with a published test key and holds a published test
 * card and no other, or it is a sample.
 */
export function isPublished(exploration: Exploration): boolean {
  const {input, opened} = exploration;
  if (SAMPLE_REQUESTS.some(({payload}) => payload === input.payload)) return true;
  const pan = opened?.isPublishedKey ? opened.result.extracted.PAN : undefined;
  return TEST_CARDS.some((card) => card.pan === pan) && !holdsCard(unpublished(exploration));
}

function holdsCard(text: string): boolean {
  return redactCardNumbers(text) !== text;
}

/** The fields of which the page hides something, without what decrypts and without published test cards. */
function unpublished({cells, fields, hidden, fieldOf, inspection: {unit}}: Exploration): string {
  const hiding = new Set(fieldOf.filter((_, i) => hidden[i] === 1));
  for (const {id, opened} of fields) if (opened !== undefined) hiding.delete(id + 1);
  const written = unit === 'byte' ? hexOfCell : String.fromCharCode;
  const texts = Array.from(cells, (cell, i) => (hiding.has(fieldOf[i]!) ? written(cell) : DIVIDER));
  return TEST_NUMBERS.reduce((rest, number) => rest.replaceAll(number, DIVIDER), texts.join(''));
}

/** Published test cards in digits and in hex of ASCII, whole or with zeros and a check digit as a mask. */
const TEST_NUMBERS = TEST_CARDS.flatMap(({pan}) => [
  new RegExp(`${pan}|${pan.slice(0, 4)}0*\\d0*${pan.slice(-4)}`, 'g'),
  new RegExp(
    `${asciiHex(pan)}|${asciiHex(pan.slice(0, 4))}(?:30)*3\\d(?:30)*${asciiHex(pan.slice(-4))}`,
    'g',
  ),
]);

function asciiHex(digits: string): string {
  return digits.replaceAll(/\d/g, '3$&');
}

/** Neither a digit nor between digits, in any notation. */
const DIVIDER = 'x';
