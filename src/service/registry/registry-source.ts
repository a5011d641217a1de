import {Secret} from '../../contract/secret.js';
import {KeyRing} from '../../engine/dukpt/key-ring.js';
import type {RingKey} from '../../engine/dukpt/ring-key.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {DeviceRegistry, type RegisteredDevice} from './device-registry.js';
import {partnerDirectory} from './partner-directory.js';
import type {Registry} from './registry.js';

/** The parts of keyfiles and devices file that a service needs. */
export interface RegistrySource {
  readonly keys: readonly RingKey[];
  readonly partners: readonly PartnerEntry[];
  readonly devices: DeviceRegistry;
  readonly allowUnregistered: boolean;
}

/** The same as plain data that can be sent to another process: its secrets are clear. */
export interface PackedRegistry {
  readonly keys: readonly Packed<RingKey>[];
  readonly partners: readonly Packed<PartnerEntry>[];
  readonly devices: readonly RegisteredDevice[];
  readonly allowUnregistered: boolean;
}

/** With bytes in place of each `Secret`. */
type Packed<T> = {
  readonly [M in keyof T]: T[M] extends Secret
    ? Uint8Array
    : T[M] extends Secret | undefined
      ? Uint8Array | undefined
      : T[M];
};

/** Makes the registry. Throws 9015 when a key or a partner is not usable. */
export function registryOf(source: RegistrySource): Registry {
  const partners = partnerDirectory(source.partners);
  return {
    keys: new KeyRing(source.keys),
    partners: (partnerId) => partners.get(partnerId),
    devices: source.devices,
    allowUnregistered: source.allowUnregistered,
  };
}

/** Packs a source without anything that a service does not need. */
export function packRegistry(source: RegistrySource): PackedRegistry {
  return {
    keys: source.keys.map((key) => ({...key, secret: key.secret.reveal()})),
    partners: source.partners.map(({unknown, partnerKey, sharedKey, ...rest}) => ({
      ...rest,
      partnerKey: partnerKey?.reveal(),
      sharedKey: sharedKey?.reveal(),
    })),
    devices: source.devices.list(),
    allowUnregistered: source.allowUnregistered,
  };
}

/** Unpacks what `packRegistry` made, and wipes the secrets that came with it. */
export function unpackRegistry(packed: PackedRegistry): RegistrySource {
  return {
    keys: packed.keys.map((key) => ({...key, secret: taken(key.secret)})),
    partners: packed.partners.map((partner) => ({
      ...partner,
      partnerKey: partner.partnerKey && taken(partner.partnerKey),
      sharedKey: partner.sharedKey && taken(partner.sharedKey),
    })),
    devices: new DeviceRegistry(packed.devices),
    allowUnregistered: packed.allowUnregistered,
  };
}

function taken(bytes: Uint8Array): Secret {
  const secret = new Secret(bytes);
  bytes.fill(0);
  return secret;
}
