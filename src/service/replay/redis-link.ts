import type {Redis} from 'ioredis';
import type {RedisAddress} from './redis-address.js';

/** Runs one command of Redis and gives its reply; rejects when there is none, or an error. */
export type RedisCommand = (
  name: string,
  ...args: readonly (string | number)[]
) => Promise<unknown>;

/** A connection to Redis that reconnects automatically; commands never wait for a reconnect. */
export interface RedisLink {
  readonly command: RedisCommand;
  readonly close: () => void;
}

interface LinkEvents {
  /** Connected and logged in, at the start or again. */
  readonly ready: () => void;
  /** No longer or not yet connected; may be called many times. */
  readonly lost: (why: string) => void;
}

/** Command timeout in milliseconds. */
const MAX_COMMAND_MS = 500;
/** Without a response for so long, a connection is dropped: its peer may be gone. */
const MAX_SILENCE_MS = 2_000;
const MAX_PAUSE_MS = 1_000;
/** Commands in progress at most. */
const MAX_COMMANDS = 10_000;

// A command is sent once: sent again after a lost connection it could meet its own first effect.
const ONCE = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
} as const;

/** Connects with ioredis, which is loaded only now. */
export async function linkRedis(address: RedisAddress, events: LinkEvents): Promise<RedisLink> {
  const {Redis} = await import('ioredis');
  const redis = new Redis({
    ...ONCE,
    ...address.target,
    ...address.login,
    ...(address.tls && {tls: {}}),
    db: address.db,
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
    connectTimeout: MAX_SILENCE_MS,
    socketTimeout: MAX_SILENCE_MS,
    retryStrategy: (times: number) => Math.min(50 * times, MAX_PAUSE_MS),
    // The primary has become a replica: its name may lead to the new primary by now.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  });
  redis.on('ready', events.ready);
  redis.on('error', (error: Error) => events.lost(redisErrorCode(error)));
  redis.on('close', () => events.lost('not connected'));
  return {command: bounded(redis), close: () => redis.disconnect()};
}

/**
 * The code of an error of Redis or of the system. Never the whole message, which may quote what was
 * sent.
 */
export function redisErrorCode(error: unknown): string {
  const {code, message = ''} = error as NodeJS.ErrnoException;
  if (code !== undefined) return code;
  return /^[A-Z]{2,20}(?= )/.exec(message)?.[0] ?? 'no response';
}

function bounded(redis: Redis): RedisCommand {
  let underWay = 0;
  return async (name, ...args) => {
    if (underWay >= MAX_COMMANDS) throw new Error('too many commands are waiting for Redis');
    underWay += 1;
    try {
      return await inTime(redis.call(name, ...args));
    } finally {
      underWay -= 1;
    }
  };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // A response that came while this process was busy still counts: it is read before `setImmediate`.
    const late = () => setImmediate(reject, new Error('response timed out'));
    const timer = setTimeout(late, MAX_COMMAND_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
