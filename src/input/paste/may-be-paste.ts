import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {judge} from './judge.js';
import {withoutLineEnd} from './request-input.js';

/** A request names its terminal or has its payload in a member: its JSON is never taken apart. */
const REQUEST = /"device(?:Type|Payload)"/;

/**
 * Whether a text may be a payload in a notation that no terminal sends, so that `readPaste` is to be
 * asked. What a terminal sends comes first.
 */
export function mayBePaste(text: string, deviceType?: string, terminals?: TerminalSet): boolean {
  if (REQUEST.test(text)) return false;
  return !['intact', 'weak'].includes(
    judge(withoutLineEnd(text, terminals), deviceType, terminals),
  );
}
