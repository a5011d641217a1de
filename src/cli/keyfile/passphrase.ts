import {existsSync} from 'node:fs';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {readPrivateFile} from '../../files/read-private-file.js';
import {parseIdentities} from '../../keyfile/age/parse-identities.js';
import {askSecret} from '../input/prompt.js';
import {warnUnlessSample} from '../input/warn-of-open-file.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The passphrase of `file`, else of PAYLENS_PASSPHRASE, else undefined. Throws 9002 for the file. */
export async function readPassphrase(file: string | undefined): Promise<Secret | undefined> {
  if (file !== undefined) return passphraseOf(file, '--passphrase-file');
  const text = process.env.PAYLENS_PASSPHRASE;
  return text ? Secret.ofText(text) : undefined;
}

/** A passphrase for a keyfile to write: `given`, else prompted for twice. Throws 9001 and 9011. */
export async function newPassphrase(given: Secret | undefined): Promise<Secret> {
  if (given) return assertPassphrase(given);
  const noTerminal = new PaylensError(
    9011,
    'a passphrase is required, but there is no terminal to prompt on',
    {hint: 'Provide a new passphrase in a file, or recipients with --recipient.'},
  );
  return askSecret('New passphrase:', noTerminal, async (first) => {
    assertPassphrase(first);
    const second = await askSecret('Repeat passphrase:', noTerminal, (typed) => typed);
    if (first.equals(second)) return first;
    throw new PaylensError(9001, 'the passphrases do not match');
  });
}

function assertPassphrase(passphrase: Secret): Secret {
  if (passphrase.length > 0) return passphrase;
  throw new PaylensError(9001, 'the passphrase is empty');
}

/** The identities of `file`, else of PAYLENS_IDENTITY_FILE, else none. Throws 9002 and 9011. */
export async function readIdentities(file: string | undefined): Promise<readonly string[]> {
  const path = file ?? (process.env.PAYLENS_IDENTITY_FILE || undefined);
  if (path === undefined) return [];
  return parseIdentities(Buffer.from(await readSecretFile(path, '--identity')).toString('utf8'));
}

/** The whole content of a passphrase file, without one final line ending. Throws 9002. */
export async function passphraseOf(file: string, option: string): Promise<Secret> {
  const bytes = await readSecretFile(file, option);
  const passphrase = new Secret(bytes.subarray(0, endOfText(bytes)));
  bytes.fill(0);
  return passphrase;
}

/**
 * Reads a file that holds a secret, and that `option` names; warns when others can read or change it.
 * Throws 9002, without the name of a missing file: it may be the secret itself.
 */
export async function readSecretFile(path: string, option: string): Promise<Uint8Array> {
  if (!existsSync(path))
    throw new PaylensError(9002, `${option}: no such file`, {
      hint: 'Pass the name of a file. Other users can see a secret among the arguments.',
    });
  const kind = {missing: 9002, unfit: 9002, pipe: true} as const;
  const {bytes, warnings} = await readPrivateFile(path, kind);
  warnUnlessSample(path, warnings);
  return bytes;
}

function endOfText(bytes: Uint8Array): number {
  if (bytes.at(-1) !== LINE_FEED) return bytes.length;
  return bytes.at(-2) === CARRIAGE_RETURN ? bytes.length - 2 : bytes.length - 1;
}
