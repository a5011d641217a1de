import {randomInt} from 'node:crypto';
import {createMessageIds} from '../contract/message-id.js';

/** The messageId of a command's one response. */
export function newMessageId(): string {
  const draw = String(randomInt(100_000)).padStart(5, '0');
  return createMessageIds({now: Date.now, draw})();
}
