import type {Algorithm} from '../reading.js';
import {DeviceRegisters} from './device-registers.js';

/** Counter bits, and words of the longest key. */
const SIZES = {tdes: {bits: 21, words: 4}, aes: {bits: 32, words: 8}} as const;

/** The registers of the devices last seen: at most `limit`, 0.5 KB each (AES: 1.2 KB). */
export class DeviceCache {
  readonly #limit: number;
  /** By initial KSN, the least lately used first. */
  readonly #devices = new Map<string, DeviceRegisters>();
  #last: string | undefined;

  constructor(limit = 1024) {
    this.#limit = limit;
  }

  /** The registers of the device with this initial KSN, empty ones for a device not yet seen. */
  registers(initial: string, scheme: Algorithm): DeviceRegisters {
    const found = this.#devices.get(initial);
    if (found && this.#last === initial) return found;
    if (found) this.#devices.delete(initial);
    else if (this.#devices.size === this.#limit) this.#evict();
    const registers = found ?? new DeviceRegisters(SIZES[scheme]);
    this.#devices.set(initial, registers);
    this.#last = initial;
    return registers;
  }

  /** Zeroes and forgets all. */
  wipe(): void {
    while (this.#devices.size > 0) this.#evict();
    this.#last = undefined;
  }

  #evict(): void {
    for (const [initial, registers] of this.#devices) {
      registers.wipe();
      this.#devices.delete(initial);
      return;
    }
  }
}
