import {KeyRing} from '../engine/dukpt/key-ring.js';
import {mergeKeys} from '../keyfile/merge-keys.js';
import {isRingKey} from '../keyfile/ring-keys.js';
import {readDeviceFile} from '../service/device-file.js';
import {partnerDirectory} from '../service/partner-directory.js';
import type {Registry} from '../service/service-state.js';
import {deviceFilePath} from './device-flags.js';
import {type KeyfileFlags, loadKeyfiles, rememberUnlocks} from './open-keyfile.js';

interface Flags extends KeyfileFlags {
  readonly devices?: string | undefined;
  readonly 'allow-unregistered'?: boolean | undefined;
}

/**
 * Makes the loader of a real service's registry: it opens keyfiles and devices file, and asks for
 * passphrases the first time only. The passphrase leaves the environment, where others could see it.
 * The loader throws 9010 to 9015 for keyfiles, keys and partners, 9002 for the devices file.
 */
export function registryLoader(flags: Flags): () => Promise<Registry> {
  const unlock = rememberUnlocks(flags);
  return async () => {
    const registry = await loadRegistry(flags, unlock);
    delete process.env.PAYLENS_PASSPHRASE;
    return registry;
  };
}

async function loadRegistry(
  flags: Flags,
  unlock: ReturnType<typeof rememberUnlocks>,
): Promise<Registry> {
  const loaded = await loadKeyfiles(flags, unlock);
  const keys = mergeKeys(loaded.map(({path, keyfile}) => ({path, keys: keyfile.keys})));
  const {registry: devices} = await readDeviceFile(deviceFilePath(flags));
  const partners = partnerDirectory(loaded.flatMap(({keyfile}) => keyfile.partners));
  return {
    keys: new KeyRing(keys.filter(isRingKey)),
    partners: (partnerId) => partners.get(partnerId),
    devices,
    allowUnregistered: flags['allow-unregistered'] ?? false,
  };
}
