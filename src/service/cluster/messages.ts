import type {ReceivedRequest} from '../../contract/control/received-request.js';
import type {ErrorCode} from '../../contract/error-catalogue.js';
import type {TlsFiles} from '../http/tls-files.js';
import type {LoadLimits} from '../http/workload.js';
import type {LogForm} from '../information/log.js';
import type {InspectQuestion} from '../inspector/inspect-question.js';
import type {InspectorSecrets} from '../inspector/inspector-token.js';
import type {ServiceMode} from '../registry/registry.js';
import type {PackedRegistry} from '../registry/registry-source.js';
import type {RedisAddress} from '../replay/redis-address.js';
import type {ControlNews, ControlQuestion, ControlReply} from './control-messages.js';

/** The registry of the workers: `demo`, or what the primary has read. */
export type WorkerRegistry = 'demo' | PackedRegistry;

/** Configuration that all workers of a service share. */
export interface ServiceOrder {
  readonly mode: ServiceMode;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly bodyLimit: number;
  /** Of each worker. */
  readonly load?: Partial<LoadLimits> | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly explain?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly extended?: boolean | undefined;
  readonly inspector?: InspectorSecrets | undefined;
  readonly logForm?: LogForm | undefined;
  readonly latency?: number | undefined;
  /** As they were typed: functions cannot be sent. */
  readonly now?: string | undefined;
  readonly fail?: string | undefined;
  /** Absent: the primary holds the nonces. */
  readonly replayStore?: RedisAddress | undefined;
}

/** Configuration of one worker, sent at its start. */
export interface WorkerOrder {
  readonly service: ServiceOrder;
  readonly registry: WorkerRegistry;
  /** Of its messageIds: no other worker has it. */
  readonly draw: number;
  /** Signs the Digest challenges of all workers. */
  readonly digestSecret: Uint8Array;
  readonly news: ControlNews;
}

/** What every worker can report about itself, and the primary about all workers. */
export interface Views {
  /** Of one worker: as data. */
  readonly metrics: object[];
  readonly received: readonly ReceivedRequest[];
}

/** What the primary can report about all workers together. */
export interface JointViews {
  readonly metrics: string;
  readonly received: readonly ReceivedRequest[];
}

export type ViewName = keyof Views;

/** What a worker answers the inspector: undefined when it does not have the request. */
export type InspectReply =
  | {readonly result: unknown}
  | {readonly code: ErrorCode; readonly detail: string}
  | undefined;

/** partnerId, nonce, lifetime in milliseconds. */
export type ClaimOrder = readonly [string, string, number];

/** One letter a claim: fresh, seen, full, or x for one that failed. */
export type ClaimLetters = string;

/**
 * The claims of one turn. `now` is the sender's steady clock; a receiver that lags behind catches
 * up.
 */
export interface ClaimBatch {
  readonly batch: number;
  readonly claims: readonly ClaimOrder[];
  readonly now: number;
}

export interface ClaimAnswer {
  readonly batch: number;
  readonly letters: ClaimLetters;
  readonly now: number;
}

export type ToWorker =
  | {readonly type: 'start'; readonly order: WorkerOrder}
  /** Make this registry ready; it is in force with `commit` only. */
  | {readonly type: 'prepare'; readonly registry: WorkerRegistry}
  | {readonly type: 'commit'}
  | ({readonly type: 'claimed'} & ClaimAnswer)
  | {readonly type: 'show'; readonly id: number; readonly view: ViewName}
  | {readonly type: 'shown'; readonly id: number; readonly joint: JointViews[ViewName]}
  | {readonly type: 'inspect'; readonly id: number; readonly question: InspectQuestion}
  | {readonly type: 'inspected'; readonly id: number; readonly replies: readonly InspectReply[]}
  | {readonly type: 'replied'; readonly id: number; readonly reply: ControlReply}
  /** The worker says that it has heard. */
  | {readonly type: 'hear'; readonly id: number; readonly news: ControlNews}
  | {readonly type: 'stop'};

export type ToPrimary =
  | {readonly type: 'hello'}
  | {readonly type: 'listening'; readonly url: string}
  | {
      readonly type: 'failed';
      readonly code: ErrorCode;
      readonly detail: string;
      readonly hint: string;
    }
  | {readonly type: 'prepared'; readonly usable: boolean}
  | ({readonly type: 'claim'} & ClaimBatch)
  | {readonly type: 'show'; readonly id: number; readonly view: ViewName}
  | {readonly type: 'shown'; readonly id: number; readonly own: Views[ViewName]}
  | {readonly type: 'ask'; readonly id: number; readonly question: ControlQuestion}
  | {readonly type: 'inspect'; readonly id: number; readonly question: InspectQuestion}
  | {readonly type: 'inspected'; readonly id: number; readonly reply: InspectReply}
  | {readonly type: 'heard'; readonly id: number};
