import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {checkValue} from '../../keyfile/key-blocks/block-kcv.js';
import {combineComponents} from '../../keyfile/keys/combine-components.js';
import {upperHexOf} from '../../platform/bytes.js';
import {askSecret, canPrompt} from '../input/prompt.js';
import type {KeySourceFlags} from './key-flags.js';
import {readSecretFile} from './passphrase.js';

/** Whether these flags lead to a prompt for the key. */
export function asksForKey(flags: KeySourceFlags): boolean {
  return flags['key-file'] === undefined && flags['component-file'] === undefined && canPrompt();
}

interface KeyReading {
  /** Throws 9015 for a key, or component of a key, that the command cannot use. */
  readonly check: (key: Secret) => void;
  /** Called with each component as soon as it is read. */
  readonly onComponent: (component: Secret, number: number) => void;
}

/**
 * Reads a key in hex, or combines its XOR components; prompts again after a typing mistake. Throws
 * 9001 without a terminal, 9002 for a file, 9015 for bad hex.
 */
export async function readKey(flags: KeySourceFlags, reading: KeyReading): Promise<Secret> {
  const {'key-file': file, 'component-file': files, components: count} = flags;
  if (file !== undefined) return keyFromFile(file, '--key-file');
  const {check} = reading;
  if (files)
    return combined(
      files.length,
      (index) => keyFromFile(files[index] ?? '', '--component-file'),
      reading,
    );
  if (count === undefined) return askKey('Key in hex:', check);
  const ask = (index: number, first?: Secret) =>
    askKey(`Component ${index + 1} of ${count} in hex:`, (component) => {
      check(component);
      const {length} = component;
      if (!first || length === first.length) return;
      const lengths = `expected ${first.length} bytes as the first component, found ${length}`;
      throw new PaylensError(9015, `the component entered: ${lengths}`);
    });
  return combined(count, ask, reading);
}

async function combined(
  count: number,
  read: (index: number, first: Secret | undefined) => Promise<Secret>,
  {onComponent}: KeyReading,
): Promise<Secret> {
  const components: Secret[] = [];
  for (let index = 0; index < count; index++) {
    const component = await read(index, components[0]);
    onComponent(component, index + 1);
    components.push(component);
  }
  const key = combineComponents(components);
  for (const component of components) component.wipe();
  return key;
}

/** The key of a file, in hex. Throws 9002 for the file, 9015 for bad hex. */
export async function keyFromFile(file: string, option: string): Promise<Secret> {
  return keyFromHex(await readSecretFile(file, option), option);
}

/**
 * Prompts for a key in hex, hidden, again if it is not hex or `check` throws. Throws 9001 with `hint`
 * without a terminal.
 */
export function askKey(
  message: string,
  check: (key: Secret) => void,
  hint = 'Provide it with --key-file or --component-file, or run `paylens key import`.',
): Promise<Secret> {
  const noTerminal = new PaylensError(9001, 'no key given, and there is no terminal to prompt on', {
    hint,
  });
  return askSecret(message, noTerminal, (typed) => {
    const key = keyFromHex(typed.reveal(), 'the key entered');
    check(key);
    return key;
  });
}

/** Wipes `text`. Throws 9015 if it is no key, or not the one of the KCV after it. */
function keyFromHex(text: Uint8Array, where: string): Secret {
  const view = Buffer.from(text.buffer, text.byteOffset, text.length);
  const written = view.toString('latin1').replace(UNICODE_MARKS, '').trim();
  const {digits, kcv} = keyAndKcv(written);
  text.fill(0);
  const key = Secret.fromHex(digits);
  if (key && kcv !== undefined && KEY_DIGITS.includes(digits.length)) assertKcv(key, kcv, where);
  if (key) return key;
  const bad = digits.search(/[^0-9a-f]/i);
  const found =
    (written === '' && 'none: it is empty') ||
    (/^[[{]/.test(written) && 'JSON, which `paylens key import` reads') ||
    (bad === -1 ? `${digits.length} digits` : `a non-hex character at digit ${bad + 1}`);
  throw new PaylensError(9015, `${where}: expected an even number of hex digits, found ${found}`);
}

/** In Latin-1, what editors and shells of Windows add to ASCII: a byte order mark, UTF-16 its zeros. */
const UNICODE_MARKS = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)|\0/g;
/** A KCV after a key: in brackets, or with its name. */
const MARKED_KCV = /^([^([{k]*)(?:[([{]|\bKCV\b)([^)\]}]*)[)\]}]?$/is;
/** Hex digits of keys, and of KCVs. */
const KEY_DIGITS = [16, 32, 48, 64];
const KCV_DIGITS = [4, 6, 8, 10];

/** A key as it is copied: with 0x, in groups between spaces, colons or dashes, and with its KCV. */
function keyAndKcv(text: string): {readonly digits: string; readonly kcv?: string} {
  const [, before = text, kcv] = MARKED_KCV.exec(text) ?? [];
  const groups = before.replace(/(?<![^\s:])0x/gi, ' ').split(/[\s:-]+/);
  const digits = groups.join('');
  if (kcv !== undefined) return {digits, kcv: kcv.replace(/KCV|[\s:=]/gi, '')};
  // Without a mark: the groups after a whole key.
  const ends = groups.map((_, i) => groups.slice(0, i + 1).join('').length);
  const end = KEY_DIGITS.find((one) => KCV_DIGITS.includes(digits.length - one));
  if (end === undefined || !ends.includes(end)) return {digits};
  return {digits: digits.slice(0, end), kcv: digits.slice(end)};
}

function assertKcv(key: Secret, kcv: string, where: string): void {
  const bytes = key.reveal();
  const values = [
    ...(bytes.length <= 24 ? [checkValue('00', 'tdes', bytes)] : []),
    ...(bytes.length >= 16 ? [checkValue('00', 'aes', bytes), checkValue('01', 'aes', bytes)] : []),
  ].map((value) => upperHexOf(value).slice(0, Math.max(kcv.length, 6)));
  if (values.some((value) => value.startsWith(kcv.toUpperCase()))) return;
  const found = `the key has the KCV ${values[0]}, or ${values.at(-1)} as an AES key`;
  throw new PaylensError(
    9015,
    `${where}: the KCV after the key is ${kcv.toUpperCase()}, but ${found}`,
  );
}
