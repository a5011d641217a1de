import {createPartner, type Partner, type PartnerLookup} from '../../auth/partner/partner.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KeyRing} from '../../engine/dukpt/key-ring.js';
import type {RingKey} from '../../engine/dukpt/ring-key.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import type {DeviceRegistry} from './device-registry.js';

/** `real` uses a keyfile, `demo` published test keys, `mock` no keys at all. */
export type ServiceMode = 'real' | 'demo' | 'mock';

/** The data that SIGHUP replaces as a whole: a request uses one registry from start to end. */
export interface Registry {
  readonly keys: KeyRing;
  readonly partners: PartnerLookup;
  readonly devices: DeviceRegistry;
  /** Process payloads of devices that are not registered. */
  readonly allowUnregistered: boolean;
}

/** The parts of keyfiles and devices file that a service needs. */
export interface RegistrySource {
  readonly keys: readonly RingKey[];
  readonly partners: readonly PartnerEntry[];
  readonly devices: DeviceRegistry;
  readonly allowUnregistered: boolean;
}

/** Makes the registry. Throws 9015 when a key or a partner is not usable. */
export function registryOf({keys, partners, devices, allowUnregistered}: RegistrySource): Registry {
  const known = partnerDirectory(partners);
  return {
    ...{keys: new KeyRing(keys), devices, allowUnregistered},
    partners: (partnerId) => known.get(partnerId),
  };
}

/**
 * The partners of keyfiles, prepared for authentication, by their ids. Throws 9015 if one is
 * unusable (see `createPartner`) or is in two keyfiles.
 */
export function partnerDirectory(entries: readonly PartnerEntry[]): ReadonlyMap<string, Partner> {
  const partners = new Map<string, Partner>();
  for (const entry of entries) {
    if (partners.has(entry.partnerId))
      throw new PaylensError(9015, `partner ${entry.partnerId} is in two keyfiles`);
    partners.set(entry.partnerId, createPartner(entry));
  }
  return partners;
}
