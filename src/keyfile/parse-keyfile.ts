import {describeFault} from '../contract/json-fault.js';
import {readJson} from '../contract/parse-json.js';
import {PaylensError} from '../contract/paylens-error.js';
import {type Fitted, fitTo} from '../files/schema-faults.js';
import {KEYFILE_VERSION, type Keyfile} from './keyfile.js';
import {allOrNone} from './keys/all-or-none.js';
import {checkKeySet} from './keys/check-key-set.js';
import {type KeyEntry, type KeyForm, keyEntryFrom, keyFormOf} from './keys/key-entry.js';
import {partnerFormOf, partnersFrom} from './partner-entry.js';

/**
 * Reads the decrypted content of a keyfile: UTF-8 JSON. Throws 9012 when it is not one, 9013 when
 * its version is newer, 9015 when one of its keys is not usable or two partners share an id.
 */
export async function parseKeyfile(plaintext: Uint8Array): Promise<Keyfile> {
  const read = readJson(plaintext);
  if ('fault' in read)
    throw new PaylensError(9012, `the decrypted content is not JSON: ${describeFault(read.fault)}`);
  const {value} = read;
  refuseNewer(value);
  const {keyfileForm} = await import('./key-forms.js');
  const parsed = fitTo(keyfileForm, value);
  if (!parsed.ok) throw new PaylensError(9012, faultsAt('keyfile', parsed.faults));
  const {version: _, created, keys, partners, recipients, ...unknown} = parsed.value;
  return {
    ...(created === undefined ? {} : {created}),
    keys: await parseKeys(keys),
    partners: partnersFrom(partners),
    recipients,
    unknown,
  };
}

/**
 * Reads an array of keys in JSON form, all or none. Every entry at fault is named by its place
 * (`key 4`) in one error. Throws 9015.
 */
export async function parseKeys(forms: unknown): Promise<readonly KeyEntry[]> {
  if (!Array.isArray(forms)) throw new PaylensError(9015, 'expected a JSON array of keys');
  const {keyForm} = await import('./key-forms.js');
  const keys = allOrNone(forms, (form, index) => keyOf(fitTo(keyForm, form), `key ${index + 1}`));
  checkKeySet(keys);
  return keys;
}

/** The key of a form that was held against its schema. Throws 9015. */
export function keyOf(parsed: Fitted<KeyForm>, where: string): KeyEntry {
  if (parsed.ok) return keyEntryFrom(parsed.value, where);
  throw new PaylensError(9015, faultsAt(where, parsed.faults));
}

/** The faults in one line, each after `where`. */
export function faultsAt(where: string, faults: readonly string[]): string {
  return faults.map((fault) => `${where}: ${fault}`).join('; ');
}

/** The content of a keyfile as the UTF-8 JSON to encrypt; the caller wipes it. */
export function serialiseKeyfile(keyfile: Keyfile): Uint8Array {
  const {unknown, keys, partners, ...rest} = keyfile;
  const members = {
    version: KEYFILE_VERSION,
    ...rest,
    keys: keys.map(keyFormOf),
    partners: partners.map(partnerFormOf),
    ...unknown,
  };
  return new TextEncoder().encode(`${JSON.stringify(members, undefined, 2)}\n`);
}

function refuseNewer(value: unknown): void {
  const version = (value as {version?: unknown} | null)?.version;
  if (typeof version !== 'number' || version <= KEYFILE_VERSION) return;
  throw new PaylensError(9013, `expected version ${KEYFILE_VERSION}, found ${version}`);
}
