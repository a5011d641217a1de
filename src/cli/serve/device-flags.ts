import {dirname, join} from 'node:path';
import {string as argument} from '@oclif/core/args';
import {string} from '@oclif/core/flags';
import {keyfilePaths} from '../../keyfile/keyfile-path.js';
import type {DeviceFilePath} from '../../service/registry/device-file.js';
import type {DeviceSelector} from '../../service/registry/select-device.js';

/** Says which devices file is meant. */
export const deviceFileFlags = {
  devices: string({
    description: "devices file; default: devices.jsonl in the keyfile's directory",
    helpValue: 'FILE',
  }),
  keyfile: string({
    char: 'k',
    description: 'keyfile whose directory holds devices.jsonl (not decrypted)',
    helpValue: 'FILE',
  }),
};

/** Says which device is meant. */
export const deviceSelectorFlags = {
  partner: string({char: 'p', description: 'partner that owns the device', helpValue: 'ID'}),
  client: string({description: "client that owns the device; '' for none", helpValue: 'ID'}),
};

/** The serial number of a device, as an argument. */
export const serialArg = argument({
  description: 'serial number of the device',
  required: true,
  ignoreStdin: true,
});

interface Flags {
  readonly devices?: string | undefined;
  readonly keyfile?: string | readonly string[] | undefined;
}

/** The devices file: the one that is named, else `devices.jsonl` beside the first keyfile. */
export function deviceFilePath({devices, keyfile = []}: Flags): DeviceFilePath {
  if (devices !== undefined) return {path: devices, mayBeMissing: false};
  const named = typeof keyfile === 'string' ? [keyfile] : keyfile;
  const [first = ''] = keyfilePaths(named, process.env);
  return {path: join(dirname(first), 'devices.jsonl'), mayBeMissing: true};
}

/** The devices file that a command adds to: it is made when it is missing. */
export function newDeviceFilePath(flags: Flags): DeviceFilePath {
  return {...deviceFilePath(flags), mayBeMissing: true};
}

/** The device that argument and flags mean. */
export function deviceSelector(
  serial: string,
  flags: {readonly partner?: string | undefined; readonly client?: string | undefined},
): DeviceSelector {
  return {serial, partnerId: flags.partner, clientId: flags.client};
}
