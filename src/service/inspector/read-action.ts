import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** The body of an action: an object with these members only. Throws 2005. */
export function readAction(body: unknown, members: readonly string[]): JsonObject {
  const object = parseBody(body instanceof Uint8Array ? body : new Uint8Array());
  const unknown = Object.keys(object).find((name) => !members.includes(name));
  if (unknown === undefined) return object;
  throw new PaylensError(2005, `unknown member: expected ${members.join(', ') || 'none'}`);
}
