import {once} from 'node:events';
import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {LOOPBACK} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import {writerOf} from '../../engine/families/terminal.js';
import type {ServiceLog} from '../information/log.js';
import {listenError} from '../paylens-server.js';
import type {CommandTable} from './command-table.js';
import {idtechTable} from './idtech.js';
import {ingenicoRbaTable} from './ingenico-rba.js';
import {miuraTable} from './miura.js';
import {TerminalSession} from './terminal-session.js';
import {type TestTerminal, VIRTUAL_TYPES, type VirtualType} from './test-terminal.js';
import {type TerminalSettings, VirtualTerminal} from './virtual-terminal.js';

const TABLES: Readonly<Record<VirtualType, CommandTable>> = {
  idtech: idtechTable,
  miura: miuraTable,
  'ingenico-rba': ingenicoRbaTable,
};
/** Further ones are closed at once. */
const MAX_CONNECTIONS = 16;

/** Where a terminal is reached. */
interface TerminalAddress {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly controlPort?: number | undefined;
}

/** Starts a terminal and waits until it listens. Throws 9001 for a type that has no table, 9020 when a port cannot be used. */
export async function launchTerminal(
  simulation: TerminalSettings['simulation'],
  {host = LOOPBACK, port = 0, controlPort}: TerminalAddress,
  log: ServiceLog,
): Promise<TestTerminal> {
  const {deviceType} = simulation;
  const table = Object.hasOwn(TABLES, deviceType) ? TABLES[deviceType as VirtualType] : undefined;
  if (!table)
    throw new PaylensError(9001, `a terminal that answers: expected ${VIRTUAL_TYPES.join(', ')}`);
  const writer = await writerOf(KNOWN_TERMINALS.get(deviceType));
  const terminal = new VirtualTerminal({table, writer, simulation, log});
  const {serveControl, checkedOrder} = await import('./control-server.js');
  const control = controlPort === undefined ? undefined : await serveControl(terminal, controlPort);
  const {server, close: closeServer} = await listenAt(terminal, host, port).catch(async (error) => {
    await control?.close();
    throw error;
  });
  const {port: own} = server.address() as AddressInfo;
  const close = async () => {
    await Promise.all([closeServer(), control?.close()]);
  };
  return {
    ...{host, port: own, url: `tcp://${host.includes(':') ? `[${host}]` : host}:${own}`},
    ...(control && {control: control.url}),
    commands: () => [...terminal.received.list()],
    answer: (order) => terminal.answers.add(checkedOrder(terminal, order)),
    answers: () => terminal.answers.list(),
    removeAnswers: (id) => terminal.answers.remove(id),
    reset: () => terminal.reset(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listenAt(terminal: VirtualTerminal, host: string, port: number) {
  const sockets = new Set<Socket>();
  const server: Server = createServer({noDelay: true, allowHalfOpen: true}, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    void new TerminalSession(terminal, socket).run();
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await once(server.listen({host, port}), 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {server, close};
}
