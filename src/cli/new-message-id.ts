import {randomInt} from 'node:crypto';
import {createMessageIds, DRAWS} from '../contract/message-id.js';

/** The messageId of a command's one response. */
export function newMessageId(): string {
  return createMessageIds({now: Date.now, draw: randomInt(DRAWS)})();
}
