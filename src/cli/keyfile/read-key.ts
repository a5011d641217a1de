import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {combineComponents} from '../../keyfile/keys/combine-components.js';
import {askSecret, canPrompt} from '../input/prompt.js';
import {readSecretFile} from './passphrase.js';

/** Source of a key in hex; without any flag: a hidden prompt. */
export interface KeySourceFlags {
  readonly 'key-file'?: string | undefined;
  /** How many XOR components to ask for at hidden prompts. */
  readonly components?: number | undefined;
  /** The files that hold one XOR component each. */
  readonly 'component-file'?: readonly string[] | undefined;
}

/** Whether these flags lead to a prompt for the key. */
export function asksForKey(flags: KeySourceFlags): boolean {
  return flags['key-file'] === undefined && flags['component-file'] === undefined && canPrompt();
}

/**
 * Reads a key in hex, or makes it from its XOR components; `seen` is called with each component as
 * soon as it is read. Throws 9001 when nobody can be asked, 9002 for a file, 9015 for bad hex.
 */
export async function readKey(
  flags: KeySourceFlags,
  seen: (component: Secret, number: number) => void,
): Promise<Secret> {
  if (flags['key-file'] !== undefined) return keyFromFile(flags['key-file']);
  const files = flags['component-file'];
  if (files) return combined(files.length, (index) => keyFromFile(files[index] ?? ''), seen);
  if (flags.components === undefined) return askKey('Key in hex:');
  const last = flags.components;
  return combined(last, (index) => askKey(`Component ${index + 1} of ${last} in hex:`), seen);
}

async function combined(
  count: number,
  read: (index: number) => Promise<Secret>,
  seen: (component: Secret, number: number) => void,
): Promise<Secret> {
  const components: Secret[] = [];
  for (let index = 0; index < count; index++) {
    const component = await read(index);
    seen(component, index + 1);
    components.push(component);
  }
  const key = combineComponents(components);
  for (const component of components) component.wipe();
  return key;
}

/** The key of a file, in hex. Throws 9002 for the file, 9015 for bad hex. */
export async function keyFromFile(file: string): Promise<Secret> {
  const bytes = await readSecretFile(file);
  return keyFromHex(bytes, file);
}

/** Asks for a key in hex, hidden. Throws 9001 with `hint` when nobody can be asked, 9015 for bad hex. */
export async function askKey(message: string, hint = OTHER_WAYS): Promise<Secret> {
  const noTerminal = new PaylensError(9001, 'no key given, and there is no terminal to prompt on', {
    hint,
  });
  const typed = await askSecret(message, noTerminal);
  return keyFromHex(typed.reveal(), 'the key entered');
}

const OTHER_WAYS = 'Provide it with --key-file or --component-file, or run `paylens key import`.';

/** Spaces and line endings between the digits do not count. Wipes `text`. */
function keyFromHex(text: Uint8Array, where: string): Secret {
  const view = Buffer.from(text.buffer, text.byteOffset, text.length);
  const digits = view.toString('latin1').replace(/\s/g, '');
  text.fill(0);
  const key = Secret.fromHex(digits);
  if (key) return key;
  const hexOnly = /^[0-9a-f]*$/i.test(digits);
  const found = hexOnly ? `${digits.length} digits` : 'non-hex characters';
  throw new PaylensError(9015, `${where}: expected an even number of hex digits, found ${found}`);
}
