import {createPartner, methodsWithKey, type Partner} from '../auth/partner/partner.js';
import {PaylensError} from '../contract/paylens-error.js';
import {Secret} from '../contract/secret.js';
import {KeyRing, testKeys} from '../engine/dukpt/key-ring.js';
import type {RingKey} from '../engine/dukpt/ring-key.js';
import {DEMO_PARTNER, demoRegistry} from './registry/demo-registry.js';
import {DEVICE_STATUSES, DeviceRegistry} from './registry/device-registry.js';
import type {Registry} from './registry/registry.js';
import type {StartServerOptions, TestDevice, TestKey, TestPartner} from './test-server.js';

type RegistryOptions = {
  readonly [Name in 'partners' | 'devices' | 'keys']?: StartServerOptions[Name] | undefined;
};

/**
 * The registry of a test server: the options, or else what demo and mock have.
 * Throws 9015 for an unusable partner or key, 9001 for an invalid device.
 */
export function testRegistry({partners, devices, keys}: RegistryOptions): Registry {
  const demo = demoRegistry();
  const [first] = partners ?? [DEMO_PARTNER];
  if (partners && !first) throw new PaylensError(9001, 'partners: expected at least one');
  const known = partners && partnersById(partners);
  return {
    ...demo,
    ...(known && {partners: (partnerId: string) => known.get(partnerId)}),
    ...(devices && {devices: devicesOf(devices, first?.partnerId ?? '')}),
    ...(keys && {keys: suiteKeys(keys)}),
  };
}

/** The keys of a suite, then the published test keys. Throws 9015. */
export function suiteKeys(keys: readonly TestKey[]): KeyRing {
  return new KeyRing([...keys.map(ringKey), ...testKeys()]);
}

function partnersById(partners: readonly TestPartner[]): ReadonlyMap<string, Partner> {
  const known = new Map<string, Partner>();
  for (const partner of partners) {
    if (known.has(partner.partnerId))
      throw new PaylensError(9001, 'partners: two have the same partnerId');
    known.set(partner.partnerId, newPartner(partner));
  }
  return known;
}

function newPartner({partnerKey, sharedKey, methods, ...rest}: TestPartner): Partner {
  const record = {
    ...rest,
    ...(partnerKey !== undefined && {partnerKey: Secret.ofText(partnerKey)}),
    ...(sharedKey !== undefined && {sharedKey: Secret.ofText(sharedKey)}),
  };
  const usual = methodsWithKey(record).filter((method) => method !== 'digest-preemptive');
  return createPartner({...record, methods: methods ?? usual});
}

function devicesOf(devices: readonly TestDevice[], owner: string): DeviceRegistry {
  const registry = new DeviceRegistry();
  for (const {partnerId = owner, status = 'active', ...device} of devices) {
    if (!device.serial || !DEVICE_STATUSES.includes(status))
      throw new PaylensError(
        9001,
        `devices: expected a serial and a status of ${DEVICE_STATUSES.join(', ')}`,
      );
    if (registry.add({partnerId, status, ...device}))
      throw new PaylensError(9001, 'devices: two have the same partner, serial and client');
  }
  return registry;
}

function ringKey({key, kind = 'bdk', ksnPrefix}: TestKey): RingKey {
  const secret = Secret.fromHex(key);
  if (!secret) throw new PaylensError(9015, 'keys: expected a key in hex');
  // An IK needs a prefix; an empty one stands for every KSN.
  const prefix = ksnPrefix ?? (kind === 'ik' ? '' : undefined);
  return {kind, secret, ...(prefix !== undefined && {ksnPrefix: prefix})};
}
