import {PaylensError} from '../../contract/paylens-error.js';

export const DEVICE_STATUSES = ['active', 'activating', 'inactive', 'stored'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** A device of a partner, unique by partner, serial number and client. */
export interface RegisteredDevice {
  readonly partnerId: string;
  readonly serial: string;
  readonly clientId?: string | undefined;
  readonly status: DeviceStatus;
  /** The firmware versions that are accepted; absent or empty: every one. */
  readonly firmware?: readonly string[] | undefined;
}

interface Query {
  readonly partnerId: string;
  readonly serial: string;
  readonly clientId?: string | undefined;
}

/** The registered devices. A service never writes them. */
export class DeviceRegistry {
  /** By partner, then by comparable serial number. */
  readonly #devices = new Map<string, Map<string, RegisteredDevice[]>>();
  #size = 0;

  constructor(devices: Iterable<RegisteredDevice> = []) {
    for (const device of devices) this.add(device);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a device, unless one of its partner, serial number and client is there: then that one. */
  add(device: RegisteredDevice): RegisteredDevice | undefined {
    const owned = this.#ownedBy(device.partnerId);
    const serial = comparableSerial(device.serial);
    const same = owned.get(serial);
    const twin = same?.find(({clientId}) => clientId === device.clientId);
    if (twin) return twin;
    if (same) same.push(device);
    else owned.set(serial, [device]);
    this.#size++;
    return undefined;
  }

  /**
   * The device of `query`, which must be able to process (docs/contract.md#devices-and-partners).
   * Serials match without leading zeros and without regard to case.
   * Throws 1202 when it is unknown, 1205 when several clients own one, 1203 when it is not active.
   */
  require({partnerId, serial, clientId}: Query): RegisteredDevice {
    const owned = this.#devices.get(partnerId)?.get(comparableSerial(serial)) ?? [];
    const matches =
      clientId === undefined ? owned : owned.filter((device) => device.clientId === clientId);
    const [device] = matches;
    if (!device) throw new PaylensError(1202);
    if (matches.length > 1) throw new PaylensError(1205);
    if (device.status === 'active' || device.status === 'activating') return device;
    throw new PaylensError(1203);
  }

  #ownedBy(partnerId: string): Map<string, RegisteredDevice[]> {
    const owned = this.#devices.get(partnerId) ?? new Map<string, RegisteredDevice[]>();
    this.#devices.set(partnerId, owned);
    return owned;
  }
}

/** Throws 1204 when the device has accepted versions and `firmware` is not one of them. */
export function checkFirmware(device: RegisteredDevice, firmware: string): void {
  const accepted = device.firmware ?? [];
  if (accepted.length === 0 || accepted.includes(firmware)) return;
  throw new PaylensError(1204);
}

/** Serial numbers match without leading zeros and without regard to case. */
export function comparableSerial(serial: string): string {
  return serial.trim().replace(/^0+/, '').toUpperCase();
}
