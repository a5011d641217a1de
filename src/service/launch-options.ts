import type {SteadyClock} from '../auth/steady-clock.js';
import type {Control} from './control/control.js';
import type {Timeouts} from './http/new-http-server.js';
import type {TlsFiles} from './http/tls-files.js';
import type {LoadLimits} from './http/workload.js';
import type {LogForm} from './information/log.js';
import type {Inspect} from './inspector/inspector-routes.js';
import type {InspectorSecrets} from './inspector/inspector-token.js';
import type {Registry, ServiceMode} from './registry/registry.js';
import type {KeptReplayStore} from './replay/kept-replay-store.js';
import type {RedisAddress} from './replay/redis-address.js';

/** How a service is started; everything but mode and registry has a default. */
export interface LaunchOptions {
  readonly mode: ServiceMode;
  readonly registry: Registry;
  readonly host?: string | undefined;
  /** Names and addresses it answers to besides `host` and those of loopback. */
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
  /** How many nonces are held at most; half of them for one partner. Default 1,000,000. */
  readonly nonces?: number | undefined;
  /** The Redis that holds the nonces; absent: this process does. */
  readonly replayStore?: RedisAddress | undefined;
  /** What this process shares with the others of its service; absent: there are none. */
  readonly shared?: Shared | undefined;
  /** Destination of log lines; absent: none are written. */
  readonly writeLog?: ((line: string) => void) | undefined;
  readonly logForm?: LogForm | undefined;
  /** Names the mistake in signatures that are wrong, in the log. */
  readonly explain?: boolean | undefined;
  /** Demo and mock: refuses what the interface does not promise. */
  readonly strict?: boolean | undefined;
  /** Also takes the terminals beyond the interface. */
  readonly extended?: boolean | undefined;
  /** Real mode: offers the inspector, to who has its token. Demo and mock always offer it. */
  readonly inspector?: InspectorSecrets | undefined;
}

/** What the processes of one service have in common. */
export interface Shared {
  /** Of the messageIds, which no other of them has. */
  readonly draw: number;
  /** That of their nonces. */
  readonly clock: SteadyClock;
  /** Signs Digest challenges. */
  readonly digestSecret: Uint8Array;
  /** Their replay store; absent: a Redis. */
  readonly replay?: KeptReplayStore | undefined;
  /** The metrics of all. */
  readonly metrics: () => Promise<string>;
  readonly control: Control;
  /** Asks all of them; absent: this process alone is asked. */
  readonly inspect?: Inspect | undefined;
  /** Whether this is the first exchange of the inspector's token among them. */
  readonly claimToken?: (() => Promise<boolean>) | undefined;
}
