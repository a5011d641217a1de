import {parseJsonObject} from '../../contract/parse-json.js';
import {TERMINAL_TYPES, type TerminalType} from '../../engine/families/registry.js';
import {base64UrlOf, bytesFromBase64, bytesFromUtf8, utf8Of} from '../../platform/bytes.js';
import {TEST_CARDS} from '../../simulator/test-cards.js';
import type {Exploration} from './explore.js';
import {MAX_INPUT_BYTES} from './read-input.js';
import {SAMPLE_REQUESTS} from './samples.js';

/** What a link holds: a payload, and its terminal where one was chosen. */
export interface Linked {
  readonly text: string;
  readonly terminal: TerminalType | undefined;
}

/** Base64 of the largest payload, as JSON with escapes. */
const MAX_LINK_CHARS = 8 * MAX_INPUT_BYTES;

/** The fragment of a link; a browser never sends it. */
export function fragmentOf({text, terminal}: Linked): string {
  return `#p=${base64UrlOf(bytesFromUtf8(JSON.stringify({text, terminal})))}`;
}

/** What a fragment holds; undefined where it is no link of this page. */
export function linkedBy(fragment: string): Linked | undefined {
  const [, coded = ''] = /^#p=([\w-]+)$/.exec(fragment) ?? [];
  if (coded === '' || coded.length > MAX_LINK_CHARS) return undefined;
  try {
    const base64 = coded.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = bytesFromBase64(base64.padEnd(4 * Math.ceil(base64.length / 4), '='));
    const {text, terminal} = parseJsonObject(utf8Of(bytes ?? new Uint8Array()));
    if (typeof text !== 'string' || text.length > MAX_INPUT_BYTES) return undefined;
    return {text, terminal: TERMINAL_TYPES.find((type) => type === terminal)};
  } catch {
    return undefined;
  }
}

/**
 * Whether a payload may be in a link: it opens with a published test key and holds a published test
 * card, or it is a sample.
 */
export function isPublished(text: string, {opened}: Exploration): boolean {
  if (SAMPLE_REQUESTS.some((sample) => sample.text === text)) return true;
  const pan = opened?.isPublishedKey ? opened.result.extracted.PAN : undefined;
  return pan !== undefined && TEST_CARDS.some((card) => card.pan === pan);
}
