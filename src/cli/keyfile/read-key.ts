import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {combineComponents} from '../../keyfile/keys/combine-components.js';
import {askSecret, askUntil, canPrompt} from '../input/prompt.js';
import type {KeySourceFlags} from './key-flags.js';
import {readSecretFile} from './passphrase.js';

/** Whether these flags lead to a prompt for the key. */
export function asksForKey(flags: KeySourceFlags): boolean {
  return flags['key-file'] === undefined && flags['component-file'] === undefined && canPrompt();
}

interface KeyReading {
  /** Throws 9015 for a key, or component of a key, that the command has no use for. */
  readonly check: (key: Secret) => void;
  /** Called with each component as soon as it is read. */
  readonly seen?: (component: Secret, number: number) => void;
}

/**
 * Reads a key in hex, or makes it from its XOR components. What was mistyped at a prompt is asked for
 * again. Throws 9001 when nobody can be asked, 9002 for a file, 9015 for bad hex.
 */
export async function readKey(
  flags: KeySourceFlags,
  {check, seen = () => {}}: KeyReading,
): Promise<Secret> {
  if (flags['key-file'] !== undefined) return keyFromFile(flags['key-file']);
  const files = flags['component-file'];
  if (files) return combined(files.length, (index) => keyFromFile(files[index] ?? ''), seen);
  if (flags.components === undefined) return askKey('Key in hex:', {check});
  const last = flags.components;
  const ask = (index: number, first?: Secret) =>
    askKey(`Component ${index + 1} of ${last} in hex:`, {
      check: (component) => {
        check(component);
        assertLength(component, first);
      },
    });
  return combined(last, ask, seen);
}

function assertLength({length}: Secret, first: Secret | undefined): void {
  if (!first || length === first.length) return;
  const lengths = `expected ${first.length} bytes as the first component, found ${length}`;
  throw new PaylensError(9015, `the component entered: ${lengths}`);
}

async function combined(
  count: number,
  read: (index: number, first: Secret | undefined) => Promise<Secret>,
  seen: (component: Secret, number: number) => void,
): Promise<Secret> {
  const components: Secret[] = [];
  for (let index = 0; index < count; index++) {
    const component = await read(index, components[0]);
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

interface KeyQuestion {
  readonly check: (key: Secret) => void;
  /** What to do without a terminal. */
  readonly hint?: string;
}

/**
 * Asks for a key in hex, hidden, and again for one mistyped. Throws 9001 when nobody can be asked, 9015
 * for bad hex, and what `check` throws.
 */
export function askKey(message: string, {check, hint = OTHER_WAYS}: KeyQuestion): Promise<Secret> {
  const noTerminal = new PaylensError(9001, 'no key given, and there is no terminal to prompt on', {
    hint,
  });
  const accept = (typed: Secret) => {
    const key = keyFromHex(typed.reveal(), 'the key entered');
    check(key);
    return key;
  };
  return askUntil(() => askSecret(message, noTerminal), accept);
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
