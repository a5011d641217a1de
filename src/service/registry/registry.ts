import type {PartnerLookup} from '../../auth/partner/partner.js';
import type {KeyRing} from '../../engine/dukpt/key-ring.js';
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
