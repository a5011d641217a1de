import {randomInt} from 'node:crypto';
import type {AddressInfo} from 'node:net';
import {LOOPBACK} from '../../contract/loopback.js';
import {createMessageIds, DRAWS} from '../../contract/message-id.js';
import {addControlRoutes, readFilter} from '../control/control-routes.js';
import {HttpFront} from '../http/http-front.js';
import {errorAnswer} from '../http/http-message.js';
import {Limits} from '../http/limits.js';
import {limitedBy, newApp} from '../http/new-app.js';
import type {Refusal} from '../http/refusals.js';
import {ServedHosts} from '../http/served-hosts.js';
import {listenError} from '../paylens-server.js';
import {checkTerminalOrder} from './terminal-options.js';
import type {ReceivedCommand, TerminalOrder} from './test-terminal.js';
import type {VirtualTerminal} from './virtual-terminal.js';

const MAX_BODY_BYTES = 65_536;

/** Serves the control routes of a terminal on this machine. Throws 9020. */
export async function serveControl(terminal: VirtualTerminal, port: number) {
  const limits = new Limits();
  const newId = createMessageIds({now: Date.now, draw: randomInt(DRAWS)});
  const refuse = (refusal: Refusal) => ({
    answer: errorAnswer(refusal.error, {messageId: newId()}, refusal),
    report: () => {},
  });
  const hosts = new ServedHosts({host: LOOPBACK, bound: () => LOOPBACK});
  const rules = {hosts, scheme: 'http', isTest: true, isDraining: () => false} as const;
  const front = new HttpFront({rules, limits, refuse});
  const app = newApp(front, limits, MAX_BODY_BYTES);
  addControlRoutes(app, {
    control: terminal,
    limited: limitedBy(front, limits),
    checkOrder: async (given) => checkedOrder(terminal, given),
    shown: (order) => order,
    filter: commandFilter,
  });
  await app.listen({host: LOOPBACK, port}).catch((error: unknown) => {
    throw listenError(error, LOOPBACK, port);
  });
  const {port: own} = app.server.address() as AddressInfo;
  const close = () => {
    const closed = app.close();
    app.server.closeAllConnections();
    return closed;
  };
  return {url: `http://${LOOPBACK}:${own}`, close};
}

/** An order that this terminal can follow. Throws 2005. */
export function checkedOrder(terminal: VirtualTerminal, given: unknown): TerminalOrder {
  const order = checkTerminalOrder(given);
  terminal.check(order);
  return order;
}

function commandFilter(target: string) {
  const filter: {readonly command?: string} = readFilter(target, {
    command: [() => true, 'a command'],
  });
  return (rows: readonly ReceivedCommand[]) =>
    rows.filter(({command}) => (filter.command ?? command) === command);
}
