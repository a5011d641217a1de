import {readFileSync, writeFileSync} from 'node:fs';
import {rename} from 'node:fs/promises';
import {join} from 'node:path';
import type {AuthMethod} from '../../../src/contract/auth-method.js';
import {Secret} from '../../../src/contract/secret.js';
import {encryptKeyfile} from '../../../src/keyfile/encrypt-keyfile.js';
import {emptyKeyfile} from '../../../src/keyfile/keyfile.js';
import {keyEntryFrom} from '../../../src/keyfile/keys/key-entry.js';
import type {PartnerEntry} from '../../../src/keyfile/partner-entry.js';
import type {RegisteredDevice} from '../../../src/service/registry/device-registry.js';
import {PASSPHRASE, passphraseEncryption, TEST_BDK} from '../../keyfile/sample-keyfile.js';

export const PARTNER_KEY = 'ef1ad938150fb15a1384b883a104ce70';
export const SHARED_KEY = '5d1f0c2b7a9e4f6388c1d2e3f4a5b6c7';
/** The serial number of the device in `samples/idtech-swipe.json`. */
export const SERIAL = '62994901190000';
export const PAN = '4266841088889999';
export const SWIPE: object = JSON.parse(
  readFileSync(new URL('../../../samples/idtech-swipe.json', import.meta.url), 'utf8'),
);

/** The keyfile and devices file of a real service, in a temporary folder. */
export interface RealFiles {
  readonly keyfile: string;
  readonly devices: string;
  readonly passphraseFile: string;
  readonly argv: readonly string[];
}

/** Writes keyfile (one partner, the published BDK), passphrase file and devices file. */
export async function realFiles(
  folder: string,
  devices: readonly Partial<RegisteredDevice>[] = [{}],
): Promise<RealFiles> {
  const files = {
    keyfile: join(folder, 'keys.age'),
    devices: join(folder, 'devices.jsonl'),
    passphraseFile: join(folder, 'passphrase.txt'),
  };
  await putKeyfile(files.keyfile);
  putDevices(files.devices, devices);
  writeFileSync(files.passphraseFile, `${PASSPHRASE}\n`, {mode: 0o600});
  return {
    ...files,
    argv: ['--keyfile', files.keyfile, '--passphrase-file', files.passphraseFile],
  };
}

/**
 * Atomically replaces the keyfile at `path` by one with a single partner and this `partnerKey`;
 * `more` has other members of the partner.
 */
export async function putKeyfile(
  path: string,
  partnerKey = PARTNER_KEY,
  methods: readonly AuthMethod[] = ['transparent', 'basic', 'digest', 'hmac'],
  more: Partial<PartnerEntry> = {},
): Promise<void> {
  const partner: PartnerEntry = {
    partnerId: 'WATERFORD',
    partnerKey: new Secret(Buffer.from(partnerKey)),
    sharedKey: new Secret(Buffer.from(SHARED_KEY)),
    methods,
    ...more,
  };
  const keys = [keyEntryFrom({kind: 'bdk', name: 'lab', hex: TEST_BDK}, 'keys[0]')];
  const keyfile = {...emptyKeyfile('2026-01-02T03:04:05Z'), keys, partners: [partner]};
  await put(path, await encryptKeyfile(keyfile, passphraseEncryption()));
}

/** Writes a devices file; members that a device lacks are those of the sample's device. */
export function putDevices(path: string, devices: readonly Partial<RegisteredDevice>[]): void {
  const whole = {partnerId: 'WATERFORD', serial: SERIAL, status: 'active'};
  const lines = devices.map((device) => JSON.stringify({...whole, ...device}));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** Replaces the file at `path` atomically. */
export async function put(path: string, bytes: Uint8Array): Promise<void> {
  writeFileSync(`${path}.new`, bytes, {mode: 0o600});
  await rename(`${path}.new`, path);
}

/** Posts `body` with the credentials of the partner in it. */
export async function post(url: string, path: string, body: object = {}) {
  const credentials = {partnerId: 'WATERFORD', partnerKey: PARTNER_KEY};
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({...credentials, ...body}),
  });
  return {status: response.status, answer: (await response.json()) as Record<string, unknown>};
}
