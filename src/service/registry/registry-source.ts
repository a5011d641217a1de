import {KeyRing} from '../../engine/dukpt/key-ring.js';
import type {RingKey} from '../../engine/dukpt/ring-key.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import type {DeviceRegistry} from './device-registry.js';
import {partnerDirectory} from './partner-directory.js';
import type {Registry} from './registry.js';

/** The parts of keyfiles and devices file that a service needs. */
export interface RegistrySource {
  readonly keys: readonly RingKey[];
  readonly partners: readonly PartnerEntry[];
  readonly devices: DeviceRegistry;
  readonly allowUnregistered: boolean;
}

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
