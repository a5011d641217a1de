import {once} from 'node:events';
import {isLoopbackAddress} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalSettings} from '../../service/terminal/virtual-terminal.js';
import {UNLIMITED} from '../output/layout/text-width.js';
import {
  isLogOnTerminal,
  note,
  printJsonLine,
  printResult,
  resultColumns,
  warn,
  writeLog,
} from '../output/output.js';
import {listenAddress} from './serve-options.js';

const ADDRESS = /^tcp:(?:\[([\da-f:.]+)\]:|([^:]+):)?(\d{1,5})$/i;

interface Asked {
  /** `tcp:PORT` or `tcp:HOST:PORT`. */
  readonly serve: string;
  readonly controlPort: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Runs a virtual terminal until the signal. Throws 9001 for its type or address, 9020 for a port. */
export async function serveTerminal(
  simulation: TerminalSettings['simulation'] & {readonly deviceType: string},
  {serve, controlPort, json, quiet}: Asked,
  signal: AbortSignal,
): Promise<void> {
  const [match, ipv6, name, port] = ADDRESS.exec(serve) ?? [];
  if (!match || Number(port) > 65_535)
    throw new PaylensError(9001, '--serve: expected tcp:PORT or tcp:HOST:PORT');
  const host = listenAddress(ipv6 ?? name ?? '127.0.0.1');
  const {launchTerminal} = await import('../../service/terminal/launch-terminal.js');
  const {ServiceLog} = await import('../../service/information/log.js');
  const form = isLogOnTerminal() ? 'text' : 'json';
  const log = new ServiceLog((lines) => writeLog(lines, form), {form, quiet});
  const terminal = await launchTerminal(simulation, {host, port: Number(port), controlPort}, log);
  const {url, control = ''} = terminal;
  if (json || resultColumns() === UNLIMITED) printJsonLine({url, control});
  else printResult(`terminal  ${url}`, `control   ${control}`);
  if (!isLoopbackAddress(ipv6 ? `[${host}]` : host))
    warn('Others on the network can connect and get its reads.');
  note('Ctrl-C stops it.');
  if (!signal.aborted) await once(signal, 'abort');
  await terminal.close();
}
