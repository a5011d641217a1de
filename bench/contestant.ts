import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import type {LaunchOptions} from '../src/service/launch-options.js';
import type {ServerKind, Usage} from './server-child.js';

/** A server process under test. */
export interface Contestant {
  readonly kind: ServerKind;
  readonly port: number;
  readonly pid: number;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => void;
}

/** Start options of the server. */
interface StartOptions {
  /** Response length of a bare server. */
  readonly replyBytes?: number | undefined;
  /** Further options of a service. */
  readonly service?: Partial<LaunchOptions>;
  /** Command-line options of Node. */
  readonly execArgv?: readonly string[];
}

/** Starts a server process; its log goes to the null device. */
export async function start(
  kind: ServerKind,
  {replyBytes = 0, service = {}, execArgv = []}: StartOptions = {},
): Promise<Contestant> {
  const file = new URL('server-child.js', import.meta.url);
  const child = fork(file, [kind, String(replyBytes), JSON.stringify(service)], {
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    execArgv: [...execArgv],
  });
  const {port} = await message<{port: number}>(child);
  const usage = () => {
    child.send('usage');
    return message<Usage>(child);
  };
  return {kind, port, pid: child.pid ?? 0, usage, stop: () => child.disconnect()};
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [found] = await once(child, 'message');
  return found as T;
}
