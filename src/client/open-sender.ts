import {randomUUID} from 'node:crypto';
import {setTimeout as wait} from 'node:timers/promises';
import type {NetworkOptions} from './dispatcher.js';
import {Sender, type SenderOptions} from './sender.js';
import {openTransport, type Watcher} from './transport.js';

type OpenOptions = Omit<NetworkOptions, 'url'> &
  Pick<SenderOptions, 'baseUrl' | 'method' | 'credentials' | 'retries'> & {
    readonly watcher?: Watcher | undefined;
  };

/** A sender over a separate connection; `close` ends it. */
export async function openSender(
  options: OpenOptions,
): Promise<{readonly sender: Sender; readonly close: () => Promise<void>}> {
  const transport = await openTransport({...options, url: options.baseUrl}, options.watcher);
  const sender = new Sender({
    ...options,
    transport,
    now: Date.now,
    drawNonce: randomUUID,
    wait: (milliseconds) => wait(milliseconds),
  });
  return {sender, close: transport.close};
}
