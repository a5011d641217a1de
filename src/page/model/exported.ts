import {commandOf} from '../../diagnosis/answer/command-of.js';
import {cardRows} from '../../engine/card-rows.js';
import type {Exploration} from './explore.js';

/** What was found, as JSON: `inspect --json`, the rows of the card and how it was decrypted. */
export function jsonOf({inspection, opened}: Exploration, reveal: boolean): string {
  const answer = {
    ...inspection,
    ...(opened
      ? {
          card: reveal ? opened.result : Object.fromEntries(cardRows(opened.result, false)),
          explanation: opened.explanation,
        }
      : {}),
  };
  return `${JSON.stringify(answer, undefined, 2)}\n`;
}

/**
 * The command that does the same; undefined where it would show card data that the page hides, or
 * where nothing was read.
 */
export function commandFor(
  {input, hidden, opened}: Exploration,
  reveal: boolean,
): string | undefined {
  const {request} = input;
  if (!request || (hidden.includes(1) && !reveal)) return undefined;
  const {deviceType, devicePayload, ksn, iv} = request;
  const keys = !opened || opened.isPublishedKey ? 'published' : 'given';
  const kind = opened?.kind ?? 'bdk';
  return commandOf({request: {deviceType, devicePayload, ksn, iv}, keys, kind});
}
