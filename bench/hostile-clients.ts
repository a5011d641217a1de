import {connect, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';
import {DEMO_PARTNER} from '../src/service/registry/demo-registry.js';

/** How one client attacks: what it does with a connection once it is open. */
export interface HostileKind {
  readonly name: string;
  /** Whether the connection is encrypted, or stops within the handshake; default plain. */
  readonly tls?: 'after' | 'within';
  /** Whether the client reads what it gets. */
  readonly reads: boolean;
  readonly act: (socket: Socket) => void;
}

const PATH = '/api/v1/partner/validate';
const JSON_HEADERS = 'Host: localhost\r\nContent-Type: application/json\r\n';
const HEAD = `POST ${PATH} HTTP/1.1\r\n${JSON_HEADERS}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const LARGE = 60_000;
/** Milliseconds between the parts of a slow client. */
const DRIP_MS = 1000;

/** Every kind of hostile client. */
export const HOSTILE_KINDS: readonly HostileKind[] = [
  talker('empty headers and one-byte chunks', (socket) => {
    socket.write(`${HEAD}${'a:\r\n'.repeat(3700)}${CHUNKED}${'1\r\n \r\n'.repeat(LARGE / 6)}`);
  }),
  talker('one-byte chunks', (socket) => {
    socket.write(`${HEAD}${CHUNKED}${'1\r\n \r\n'.repeat(LARGE / 6)}`);
  }),
  talker('one-byte chunks, one packet each', (socket) => {
    socket.write(HEAD + CHUNKED);
    every(socket, 100, () => socket.write('1\r\n \r\n'));
  }),
  talker('bodies of one byte a second', (socket) => {
    socket.write(`${HEAD}Content-Length: ${LARGE}\r\n\r\n`);
    every(socket, DRIP_MS, () => socket.write(' '));
  }),
  talker('bodies without their last byte', (socket) => {
    socket.write(`${HEAD}Content-Length: ${LARGE}\r\n\r\n${' '.repeat(LARGE - 1)}`);
  }),
  talker('bodies announced, never sent', (socket) => {
    socket.write(`${HEAD}Content-Length: ${LARGE}\r\n\r\n`);
  }),
  talker('large bodies whose answer waits', (socket) => socket.write(waiting(LARGE))),
  talker('a hundred bodies whose answers wait', (socket) =>
    socket.write(waiting(7000).repeat(100)),
  ),
  talker('a hundred small bodies whose answers wait', (socket) => {
    socket.write(waiting(0).repeat(100));
  }),
  talker('headers of one byte a second', (socket) => {
    socket.write(HEAD);
    every(socket, DRIP_MS, () => socket.write('x'));
  }),
  talker('connections without a byte', () => {}),
  talker('keep-alive connections', (socket) => socket.write(get(socket, '/healthz'))),
  talker('Expect: 100-continue, no body', (socket) => {
    socket.write(`${HEAD}Expect: 100-continue\r\nContent-Length: ${LARGE}\r\n\r\n`);
  }),
  talker('endless trailers', (socket) => {
    socket.write(`${HEAD}${CHUNKED}1\r\n \r\n0\r\n`);
    every(socket, 200, () => socket.write('t: x\r\n'.repeat(20)));
  }),
  talker('endless chunk extensions', (socket) => {
    socket.write(HEAD + CHUNKED);
    every(socket, 200, () => socket.write(`1;${'e=x;'.repeat(500)}\r\n \r\n`));
  }),
  ...['/docs', '/openapi.json', '/metrics', '/', '/explore', '/_requests', '/healthz'].map((path) =>
    deaf(`unread ${path}`, (socket) => get(socket, path)),
  ),
  deaf('unread inspector stream', (socket) => get(socket, '/_inspector/stream')),
  deaf('unread answers', () => post({partnerKey: 'wrong', reference: 'x'.repeat(50)})),
  deaf('unread answers of large requests', () => post({filler: 'x'.repeat(5000)})),
  {...talker('silence within the TLS handshake', () => {}), tls: 'within'},
  {
    ...talker('TLS handshakes cut within the hello', (socket) => {
      socket.write(Buffer.from('16030100f1010000ed0303', 'hex'));
    }),
    tls: 'within',
  },
  {...talker('TLS: connections without a byte', () => {}), tls: 'after'},
  {
    ...talker('TLS: bodies without their last byte', (socket) => {
      socket.write(`${HEAD}Content-Length: ${LARGE}\r\n\r\n${' '.repeat(LARGE - 1)}`);
    }),
    tls: 'after',
  },
  {...deaf('TLS: unread /openapi.json', (socket) => get(socket, '/openapi.json')), tls: 'after'},
];

/** A client that begins again whenever it is disconnected. */
export class HostileClient {
  readonly #port: number;
  readonly #kind: HostileKind;
  #socket: Socket;
  #isOver = false;

  constructor(port: number, kind: HostileKind) {
    this.#port = port;
    this.#kind = kind;
    this.#socket = this.#open();
  }

  end(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  #open(): Socket {
    const {tls, reads, act} = this.#kind;
    const address = {port: this.#port, host: '127.0.0.1', rejectUnauthorized: false};
    const socket = tls === 'after' ? connectTls(address) : connect(address);
    socket.once(tls === 'after' ? 'secureConnect' : 'connect', () => act(socket));
    if (reads) socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => {
      const again = () => {
        if (!this.#isOver) this.#socket = this.#open();
      };
      setTimeout(again, 3000 + Math.random() * 7000);
    });
    return socket;
  }
}

function talker(name: string, act: (socket: Socket) => void): HostileKind {
  return {name, reads: true, act};
}

/** Sends a request again and again, and reads no answer. */
function deaf(name: string, request: (socket: Socket) => string): HostileKind {
  return {
    name,
    reads: false,
    act: (socket) => {
      const bundle = request(socket).repeat(20);
      const more = () => {
        while (!socket.destroyed && socket.write(bundle));
      };
      socket.pause().on('drain', () => setTimeout(more, 100));
      more();
    },
  };
}

function every(socket: Socket, milliseconds: number, act: () => void): void {
  const timer = setInterval(act, milliseconds);
  socket.once('close', () => clearInterval(timer));
}

function get({remotePort}: Socket, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost:${remotePort}\r\n\r\n`;
}

function post(members: object): string {
  const {partnerId, partnerKey} = DEMO_PARTNER;
  const body = JSON.stringify({partnerId, partnerKey, ...members});
  return `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** A request that is right, and answered after five seconds. */
function waiting(bytes: number): string {
  return post({reference: 'fault:slow', filler: 'x'.repeat(bytes)});
}
