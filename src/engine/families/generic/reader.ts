import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromBase64, bytesFromHex, upperHexOf} from '../../../platform/bytes.js';
import {assertBlocks, blockSizeOf, type CipherMode} from '../../cipher/block-cipher.js';
import type {Fill} from '../../cipher/padding.js';
import type {CipherSetting, EncryptedField, Reading} from '../../reading.js';
import {isClearValue} from '../forwarded/is-clear-value.js';
import {assertTracksOnce, foundTwice, openValue, TRACK_NUMBERS} from '../forwarded/open-value.js';
import {
  CIPHER_MODES,
  ENCODINGS,
  GENERIC_ALGORITHMS,
  GENERIC_ENTRY_MODES,
  GENERIC_PADDINGS,
  GENERIC_VARIANTS,
  MAX_VALUES,
} from './layout.js';
import type {GenericMembers, NamedValue} from './members.js';

/** Settings given by the caller for all values. */
interface CallerSettings {
  readonly encoding: 'hex' | 'base64';
  readonly setting: CipherSetting;
  readonly workingModes: readonly CipherMode[];
  readonly fills: readonly Fill[];
  readonly ksn?: string;
  readonly iv?: string;
}

/**
 * Reads a generic payload's members. Throws 2100 for an unknown value of a member, a value that is
 * invalid in its encoding, no values or more than 100, or a track given twice; 2102 for ciphertext
 * that is not whole blocks.
 */
export function readGeneric(members: GenericMembers): Reading {
  const {single, values} = members;
  if (values.length < 1 || values.length > MAX_VALUES) {
    const detail = `expected 1 to ${MAX_VALUES} encrypted values, found ${values.length}`;
    throw new PaylensError(2100, detail);
  }
  const mode = single.entrymode && choose('entryMode', single.entrymode, GENERIC_ENTRY_MODES);
  const description = callerSettings(members);
  const clear = values.find(({value}) => isClearValue(value));
  if (!clear) assertNamedOnce(values);
  const refusal = clear && new PaylensError(2110, `${clear.name} contains cleartext card data`);
  return {
    form: members.form,
    recognisedBy: 'members',
    masked: members.masked,
    ...(single.serial === undefined ? {} : {serial: single.serial}),
    ...(mode ? {mode} : {}),
    candidates: [refusal ? [] : values.map((value) => genericField(value, description))],
    agree: (_, each) => assertTracksOnce(each),
    ...(refusal ? {refusal} : {}),
  };
}

function callerSettings({single, encoding: usual}: GenericMembers): CallerSettings {
  const encoding = choose('encoding', single.encoding ?? usual, ENCODINGS);
  const algorithm = choose('algorithm', single.algorithm ?? 'tdes', GENERIC_ALGORITHMS);
  const mode = choose('mode', single.mode ?? 'cbc', CIPHER_MODES);
  const ksn = inHex(single.ksn, encoding, /^(?:\s*[0-9a-f]){16,24}\s*$/i);
  const ivForm = algorithm === 'aes' ? /^[0-9a-f]{32}$/i : /^[0-9a-f]{16}$/i;
  const iv = inHex(single.iv, encoding, ivForm);
  return {
    encoding,
    // Under a working key, ECB is more usual: such terminals are older than DUKPT.
    workingModes: single.mode === undefined ? ['ecb', 'cbc'] : [mode],
    setting: {algorithm, mode, ...choose('variant', single.variant ?? 'data', GENERIC_VARIANTS)},
    fills: choose('padding', single.padding ?? 'auto', GENERIC_PADDINGS),
    ...(ksn === undefined ? {} : {ksn}),
    ...(iv === undefined ? {} : {iv}),
  };
}

/**
 * Maps the value of a member to one of a fixed set, in any case. Throws 2100, naming the member.
 */
function choose<T>(member: string, given: string, values: Readonly<Record<string, T>>): T {
  const name = given.trim().toLowerCase();
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  throw new PaylensError(2100, `${member}: expected ${Object.keys(values).join(', ')}`);
}

/** A KSN or IV that is hex of the right length is read as hex in either encoding. */
function inHex(text: string | undefined, encoding: string, form: RegExp): string | undefined {
  if (text === undefined || encoding === 'hex' || form.test(text)) return text;
  const bytes = bytesFromBase64(text.trim());
  return bytes ? upperHexOf(bytes) : text;
}

function genericField(
  {name, value, offset = 0}: NamedValue,
  description: CallerSettings,
): EncryptedField {
  const {encoding, fills, ...terms} = description;
  const ciphertext = decodeValue(name, value, encoding);
  assertBlocks(name, ciphertext, blockSizeOf(terms.setting.algorithm));
  const open: EncryptedField['open'] = (plain, mode) => openValue(name, plain, {fills}, mode);
  return {name, offset, ciphertext, ivExpected: true, ...terms, open};
}

function decodeValue(name: string, value: string, encoding: 'hex' | 'base64'): Uint8Array {
  const compact = value.replaceAll(/\s/g, '');
  const bytes = encoding === 'hex' ? bytesFromHex(compact) : bytesFromBase64(compact);
  if (bytes) return bytes;
  throw new PaylensError(2100, `${name}: its value is not ${encoding}`, {
    hint: 'Set encoding to "hex" or "base64": the long form expects base64, the others hex.',
  });
}

/** Throws 2100 if two values have the same track name. */
function assertNamedOnce(values: readonly NamedValue[]): void {
  for (const track of Object.keys(TRACK_NUMBERS)) {
    const count = values.filter(({name}) => name === track).length;
    if (count > 1) throw foundTwice(track, count);
  }
}
