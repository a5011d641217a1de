import {createHash} from 'node:crypto';
import {lrcOf, tlv} from '../engine/terminal.js';

/** A source of random choices, reproducible by its seed: SHA-256 of seed and counter. */
export class Draw {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  bytes(count: number): Buffer {
    const blocks: Buffer[] = [];
    for (let i = 0; i * 32 < count; i++) {
      blocks.push(
        createHash('sha256')
          .update(`${this.#seed} ${this.#count++}`)
          .digest(),
      );
    }
    return Buffer.concat(blocks).subarray(0, count);
  }

  hex(bytes: number): string {
    return this.bytes(bytes).toString('hex').toUpperCase();
  }

  below(limit: number): number {
    return this.bytes(6).readUIntBE(0, 6) % limit;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  digits(count: number): string {
    return Array.from({length: count}, () => this.below(10)).join('');
  }

  /** A key of 16 bytes that is not published. */
  key(): string {
    return this.hex(16);
  }

  /** A KSN whose counter has between one and ten bits set. */
  ksn(bits = 1 + this.below(9)): string {
    let counter = 0;
    while (bitsOf(counter) < Math.min(bits, 10)) counter |= 1 << this.below(20);
    return this.ksnWith(counter);
  }

  /** A KSN of some device with this counter. */
  ksnWith(counter: number): string {
    const device = BigInt(`0xFFFF${this.hex(8)}`) & ~0x1fffffn;
    return (device | BigInt(counter)).toString(16).toUpperCase().padStart(20, '0');
  }

  /** A card number that satisfies Luhn. */
  pan(length = 16): string {
    const body = `4${this.digits(length - 2)}`;
    const check = [...'0123456789'].find((digit) => isLuhn(body + digit)) ?? '0';
    return body + check;
  }

  track1(): string {
    const name = `${this.of(['DOE', 'MUSTERMANN', 'TEST CARD'])}/${this.of(['JANE', 'ERIKA', 'A'])}`;
    return `%B${this.pan()}^${name}^${this.expiry()}201${this.digits(12)}?`;
  }

  track2(): string {
    return `;${this.pan()}=${this.expiry()}201${this.digits(8)}?`;
  }

  /** Tracks 1 and 2 of one card. */
  tracks(): [string, string] {
    const card = [this.pan(), `${this.expiry()}201${this.digits(8)}`] as const;
    return [`%B${card.join('^DOE/JANE^')}?`, `;${card.join('=')}?`];
  }

  expiry(): string {
    return `${27 + this.below(8)}${String(1 + this.below(12)).padStart(2, '0')}`;
  }

  /** A track of either number, with its LRC or without. */
  track(): string {
    const text = this.below(2) === 0 ? this.track1() : this.track2();
    return this.below(2) === 0 ? text : text + lrcOf(text);
  }

  /** A TLV list with a card. */
  tags(): Buffer {
    const pan = this.pan();
    const expiry = this.expiry();
    const equivalent = `${pan}D${expiry}201${this.digits(7)}`;
    return Buffer.concat([
      tlv('5A', pan),
      tlv('57', equivalent.padEnd(equivalent.length + (equivalent.length % 2), 'F')),
      tlv('5F24', `${expiry}31`),
    ]);
  }
}

/** Four bits per character, as tracks 2 and 3 are packed. */
export function packNibbles(text: string): Buffer {
  const nibbles = [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
  return Buffer.from(nibbles.padEnd(nibbles.length + (nibbles.length % 2), '0'), 'hex');
}

/** Six bits per character, as track 1 is packed. */
export function packSixBit(text: string): Buffer {
  const bits = [...text].map((c) => (c.charCodeAt(0) - 0x20).toString(2).padStart(6, '0')).join('');
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from((whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function bitsOf(value: number): number {
  return [...value.toString(2)].filter((bit) => bit === '1').length;
}

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const weighted = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
