import type {Cursor} from '../../contract/control/inspected-request.js';
import {type JsonObject, parseBody} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** A request of one process of the service. */
export interface RequestId {
  readonly process: number;
  readonly sequence: number;
}

/** What the inspector asks of every process of a service: the one that has it answers. */
export type InspectQuestion =
  | {readonly ask: 'rows'; readonly after: Cursor}
  /** `brief`: without what takes long to find out. */
  | {readonly ask: 'detail'; readonly id: RequestId; readonly brief: boolean}
  | {readonly ask: 'copy'; readonly id: RequestId}
  | {readonly ask: 'again'; readonly id: RequestId; readonly edit?: unknown};

/** Reads `PROCESS-SEQUENCE`; undefined when it is not that. */
export function readRequestId(text: unknown): RequestId | undefined {
  const [, process, sequence] = /^(\d{1,10})-(\d{1,15})$/.exec(String(text)) ?? [];
  return process === undefined ? undefined : {process: Number(process), sequence: Number(sequence)};
}

/** Reads `PROCESS:SEQUENCE,...`; what is not that says nothing. */
export function readCursor(text: string): Cursor {
  const pairs = [...text.matchAll(/(?:^|,)(\d{1,10}):(\d{1,15})(?=,|$)/g)];
  return Object.fromEntries(pairs.map(([, process = '', sequence]) => [process, Number(sequence)]));
}

/** The body of an action: an object with these members only. Throws 2005. */
export function readAction(body: unknown, members: readonly string[]): JsonObject {
  const object = parseBody(body instanceof Uint8Array ? body : new Uint8Array());
  const unknown = Object.keys(object).find((name) => !members.includes(name));
  if (unknown === undefined) return object;
  throw new PaylensError(2005, `unknown member: expected ${members.join(', ') || 'none'}`);
}
