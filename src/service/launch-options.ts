import type {LoadLimits} from './http/limits.js';
import type {Timeouts} from './http/new-http-server.js';
import type {Upstream} from './http/send-upstream.js';
import type {TlsFiles} from './http/tls-files.js';
import type {LogForm, WriteLog} from './information/log.js';
import type {RecordedAnswers} from './operations/recorded-answers.js';
import type {Registry, ServiceMode} from './registry/registry.js';
import type {RedisAddress} from './replay/redis-address.js';

/** How a service is started; everything but mode and registry has a default. */
export interface LaunchOptions {
  readonly mode: ServiceMode;
  readonly registry: Registry;
  readonly host?: string | undefined;
  /** Names and addresses it answers to, in addition to `host` and loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** 0: any free one. */
  readonly port?: number | undefined;
  /** Milliseconds since 1970; default the system clock. */
  readonly now?: (() => number) | undefined;
  readonly bodyLimit?: number | undefined;
  readonly timeouts?: Timeouts | undefined;
  readonly load?: Partial<LoadLimits> | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly latency?: number | undefined;
  readonly fails?: (() => boolean) | undefined;
  /** How many nonces are stored in memory; half of them for one partner. Default 1,000,000. */
  readonly nonces?: number | undefined;
  /** The Redis that stores the nonces; absent: this process does. */
  readonly replayStore?: RedisAddress | undefined;
  /** Destination of log lines; absent: none are written. */
  readonly writeLog?: WriteLog | undefined;
  readonly logForm?: LogForm | undefined;
  /** Logs the mistake in wrong signatures. */
  readonly explain?: boolean | undefined;
  /** Reads requests where it can be ended; absent: the worker of the build. */
  readonly readingWorker?: URL | undefined;
  /** Demo and mock: refuses what the interface does not promise. */
  readonly strict?: boolean | undefined;
  /** Also accepts the terminals beyond the interface. */
  readonly extended?: boolean | undefined;
  /** Real mode: requests are passed on to this endpoint. */
  readonly upstream?: Upstream | undefined;
  /** With `upstream`: keeps each exchange, a line of JSON with its line end. */
  readonly record?: {
    readonly append: (line: string) => Promise<void>;
    /** Cards that the published test keys open are not masked. */
    readonly keepsCards: boolean;
  };
  /** Mock: answers that were recorded come before those of the mock. */
  readonly recorded?: RecordedAnswers | undefined;
  /** Real mode: offers the inspector to holders of this token. Demo and mock always offer it. */
  readonly inspectorToken?: string | undefined;
}

/** Whether a service offers the inspector: in demo and mock always. */
export function hasInspector({mode, inspectorToken}: LaunchOptions): boolean {
  return mode !== 'real' || inspectorToken !== undefined;
}
