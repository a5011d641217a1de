import {parseRedisAddress, type RedisAddress} from '../../service/replay/redis-address.js';
import {warn} from '../output/output.js';

/**
 * The Redis of `--replay-store`, else of PAYLENS_REPLAY_STORE, which leaves the environment; else
 * none. Throws 9001 when it is no address.
 */
export function replayStoreAddress(flag: string | undefined): RedisAddress | undefined {
  const {PAYLENS_REPLAY_STORE: variable} = process.env;
  delete process.env.PAYLENS_REPLAY_STORE;
  const text = flag ?? (variable || undefined);
  if (text === undefined) return undefined;
  return parseRedisAddress(text);
}

/** Warns of a password in `--replay-store`, where everybody on the machine sees it. */
export function warnOfVisiblePassword(flag: string | undefined): void {
  if (flag === undefined || parseRedisAddress(flag).login.password === undefined) return;
  warn('the process list shows the password in --replay-store: use PAYLENS_REPLAY_STORE');
}
