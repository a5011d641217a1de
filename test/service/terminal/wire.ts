import {once} from 'node:events';
import {connect, type Socket} from 'node:net';

/**
 * The wire of the three terminals, written from docs/terminals a second time: how a program frames
 * its commands, and finds the answers in a stream.
 */
export interface Wire {
  readonly command: (hexOrText: string) => Buffer;
  /** The length of the message at the beginning; 0: it is not whole. Throws if its check is wrong. */
  readonly length: (bytes: Buffer) => number;
}

const xor = (bytes: Uint8Array) => bytes.reduce((a, b) => a ^ b, 0);
const NAME = Buffer.from('ViVOtech2\0', 'latin1');

/** CRC-16, polynomial 1021, start FFFF, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--)
      crc = ((crc << 1) ^ (((crc >> 15) ^ (byte >> bit)) & 1 ? 0x1021 : 0)) & 0xffff;
  return crc;
}

function must(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`wrong ${what}`);
}

export const WIRES: Readonly<Record<'idtech' | 'miura' | 'ingenico-rba', Wire>> = {
  idtech: {
    /** Command and subcommand, then the data. */
    command: (hex) => {
      const given = Buffer.from(hex.replaceAll(/[^\dA-F]/gi, ''), 'hex');
      const length = given.length - 2;
      const size = Buffer.of(length >> 8, length & 0xff);
      const head = Buffer.concat([NAME, given.subarray(0, 2), size, given.subarray(2)]);
      const crc = crcOf(head);
      return Buffer.concat([head, Buffer.of(crc & 0xff, crc >> 8)]);
    },
    length: (bytes) => {
      if (bytes.length < 16) return 0;
      must(bytes.subarray(0, 10).equals(NAME), 'name');
      const end = 16 + bytes.readUInt16BE(12);
      if (bytes.length < end) return 0;
      must(crcOf(bytes.subarray(0, end - 2)) === bytes.readUInt16BE(end - 2), 'CRC');
      return end;
    },
  },
  miura: {
    command: (hex) => {
      const body = Buffer.from(hex.replaceAll(' ', ''), 'hex');
      const frame = Buffer.concat([Buffer.of(1, 0, body.length), body]);
      return Buffer.concat([frame, Buffer.of(xor(frame))]);
    },
    length: (bytes) => {
      let at = 0;
      for (;;) {
        if (bytes.length < at + 3) return 0;
        must(bytes[at] === 1, 'NAD');
        const end = at + 4 + (bytes[at + 2] ?? 0);
        if (bytes.length < end) return 0;
        must(xor(bytes.subarray(at, end)) === 0, 'LRC');
        const more = (bytes[at + 1] ?? 0) & 1;
        at = end;
        if (!more) return end;
      }
    },
  },
  'ingenico-rba': {
    command: (text) => {
      const body = Buffer.from(`${text}\x03`, 'latin1');
      return Buffer.concat([Buffer.of(2), body, Buffer.of(xor(body))]);
    },
    length: (bytes) => {
      if (bytes[0] === 0x06 || bytes[0] === 0x15 || bytes[0] === 0x04) return 1;
      must(bytes.length === 0 || bytes[0] === 2, 'STX');
      const etx = bytes.indexOf(3);
      if (etx < 0 || bytes.length < etx + 2) return 0;
      must(xor(bytes.subarray(1, etx + 2)) === 0, 'LRC');
      return etx + 2;
    },
  },
};

/** A plain program at the other end of the line. */
export class Client {
  readonly socket: Socket;
  readonly #wire: Wire;
  #held = Buffer.alloc(0);
  #wake = () => {};
  isClosed = false;

  private constructor(socket: Socket, wire: Wire) {
    this.socket = socket;
    this.#wire = wire;
    socket.on('data', (chunk) => {
      this.#held = Buffer.concat([this.#held, chunk]);
      this.#wake();
    });
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
    socket.on('error', () => {});
  }

  static async open(port: number, wire: Wire): Promise<Client> {
    const socket = connect({port, host: '127.0.0.1', noDelay: true});
    await once(socket, 'connect');
    return new Client(socket, wire);
  }

  /** The next message. */
  async next(): Promise<Buffer> {
    for (;;) {
      const length = this.#wire.length(this.#held);
      if (length > 0) {
        const message = this.#held.subarray(0, length);
        this.#held = this.#held.subarray(length);
        return message;
      }
      if (this.isClosed) throw new Error('closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  send(command: string): void {
    this.socket.write(this.#wire.command(command));
  }

  /** Ends the input. Everything that still comes, until the terminal closes, too. */
  async rest(): Promise<Buffer> {
    this.socket.end();
    while (!this.isClosed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#held;
  }

  /** Sends a command; its answer, an ACK before it taken off and one sent after it. */
  async ask(command: string): Promise<Buffer> {
    this.send(command);
    const first = await this.next();
    if (first.length !== 1 || first[0] !== 0x06) return first;
    const answer = await this.next();
    this.socket.write(Buffer.of(0x06));
    return answer;
  }
}
