import type {Cursor} from '../../contract/control/inspected-request.js';

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
