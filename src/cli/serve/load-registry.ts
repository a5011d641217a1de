import {testKeys} from '../../engine/dukpt/key-ring.js';
import type {KeyEntry} from '../../keyfile/keys/key-entry.js';
import {mergeKeys} from '../../keyfile/keys/merge-keys.js';
import {isRingKey} from '../../keyfile/keys/ring-keys.js';
import {readDeviceFile} from '../../service/registry/device-file.js';
import type {RegistrySource} from '../../service/registry/registry.js';
import type {KeyfileFlags} from '../keyfile/key-flags.js';
import {loadKeyfiles, loadKeyfilesIfAny, rememberUnlocks} from '../keyfile/open-keyfile.js';
import {warnOfSharedKeys} from '../keyfile/warn-of-shared-keys.js';
import {warn} from '../output/output.js';
import {deviceFilePath} from './device-flags.js';

interface RegistryFlags extends KeyfileFlags {
  readonly devices?: string | undefined;
  readonly 'allow-unregistered'?: boolean | undefined;
  readonly upstream?: string | undefined;
}

/**
 * Makes the loader of what a real service's registry is made of: it opens keyfiles and devices file,
 * and asks for passphrases the first time only. The passphrase leaves the environment, where others
 * could see it. The loader throws 9010 to 9015 for keyfiles and keys, 9002 for the devices file.
 */
export function registryLoader(flags: RegistryFlags): () => Promise<RegistrySource> {
  const unlock = rememberUnlocks(flags);
  return async () => {
    try {
      return await loadRegistry(flags, unlock);
    } finally {
      delete process.env.PAYLENS_PASSPHRASE;
    }
  };
}

async function loadRegistry(
  flags: RegistryFlags,
  unlock: ReturnType<typeof rememberUnlocks>,
): Promise<RegistrySource> {
  // In front of an endpoint the usual keyfile may be missing.
  const load = flags.upstream === undefined ? loadKeyfiles : loadKeyfilesIfAny;
  const loaded = await load(flags, unlock);
  const keys = mergeKeys(loaded.map(({path, keyfile}) => ({path, keys: keyfile.keys})));
  const partners = loaded.flatMap(({keyfile}) => keyfile.partners);
  const {registry: devices} = await readDeviceFile(deviceFilePath(flags));
  warnOfTestKeys(keys);
  warnOfSharedKeys(partners);
  if (partners.length === 0)
    warn(
      flags.upstream === undefined
        ? 'the keyfile has no partners: every request will be rejected'
        : 'no keyfile with partners: a refusal is explained without a key',
    );
  return {
    keys: keys.filter(isRingKey),
    partners,
    devices,
    allowUnregistered: flags['allow-unregistered'] ?? false,
  };
}

/** Data encrypted under a published key can be decrypted by anyone. */
function warnOfTestKeys(keys: readonly KeyEntry[]): void {
  const published = testKeys();
  const found = keys.filter(({secret}) => published.some((key) => key.secret.equals(secret)));
  for (const {kind, name = kind} of found) {
    warn(`the key "${name}" is a published test key and offers no protection`);
  }
}
