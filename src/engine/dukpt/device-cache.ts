import type {Algorithm} from '../cipher/block-cipher.js';
import {DeviceRegisters} from './device-registers.js';

/** Counter bits, and words of the longest key. */
const SIZES = {tdes: {bits: 21, words: 4}, aes: {bits: 32, words: 8}} as const;

/**
 * The registers of recently seen devices: at most `limit`, 0.5 KB each (AES: 1.2 KB). Without them
 * a batch of payloads of one device takes 10 % longer.
 *
 * There are two generations instead of an order of use, so a hit changes nothing. When the recent
 * generation holds half of the limit it becomes the previous one, and every device not seen since is
 * zeroed.
 */
export class DeviceCache<Key extends string | number> {
  readonly #half: number;
  #recent = new Map<Key, DeviceRegisters>();
  #previous = new Map<Key, DeviceRegisters>();

  constructor(limit = 1024) {
    this.#half = limit / 2;
  }

  /** The registers of the device with this identifier; empty ones if it was not seen yet. */
  registers(device: Key, scheme: Algorithm): DeviceRegisters {
    const found = this.#recent.get(device);
    if (found) return found;
    const registers = this.#previous.get(device) ?? new DeviceRegisters(SIZES[scheme]);
    this.#previous.delete(device);
    if (this.#recent.size >= this.#half) this.#age();
    this.#recent.set(device, registers);
    return registers;
  }

  /** Zeroes and removes all registers. */
  wipe(): void {
    this.#age();
    this.#age();
  }

  #age(): void {
    for (const registers of this.#previous.values()) registers.wipe();
    this.#previous = this.#recent;
    this.#recent = new Map();
  }
}
