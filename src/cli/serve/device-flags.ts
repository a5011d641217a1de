import {dirname, join} from 'node:path';
import {keyfilePaths} from '../../keyfile/keyfile-path.js';
import type {DeviceFilePath} from '../../service/registry/device-file.js';
import {arg, flag} from '../flags/flag.js';

/** Says which devices file is meant. */
export const deviceFileFlags = {
  devices: flag.text('FILE', "devices file; default: devices.jsonl in the keyfile's directory"),
  keyfile: flag.text('FILE', 'keyfile whose directory holds devices.jsonl (not decrypted)', {
    char: 'k',
  }),
};

/** Says which device is meant. */
export const deviceSelectorFlags = {
  partner: flag.text('ID', 'partner that owns the device', {char: 'p'}),
  client: flag.text('ID', "client that owns the device; '' for none"),
};

/** The serial number of a device, as an argument. */
export const serialArg = arg.required('serial number of the device');

interface DeviceFileFlags {
  readonly devices?: string | undefined;
  readonly keyfile?: string | readonly string[] | undefined;
}

/** The devices file of the flags, else `devices.jsonl` in the directory of the first keyfile. */
export function deviceFilePath({devices, keyfile = []}: DeviceFileFlags): DeviceFilePath {
  if (devices !== undefined) return {path: devices, mayBeMissing: false};
  const named = typeof keyfile === 'string' ? [keyfile] : keyfile;
  const [first = ''] = keyfilePaths(named, process.env);
  return {path: join(dirname(first), 'devices.jsonl'), mayBeMissing: true};
}

/** The devices file that a command adds to: created if it is missing. */
export function newDeviceFilePath(flags: DeviceFileFlags): DeviceFilePath {
  return {...deviceFilePath(flags), mayBeMissing: true};
}
