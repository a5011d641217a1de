import type {SenderCredentials} from '../../client/credentials.js';
import type {SenderKey} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {askSecret} from '../input/prompt.js';
import {loadKeyfiles} from '../keyfile/open-keyfile.js';
import {passphraseOf, readSecretFile} from '../keyfile/passphrase.js';
import type {SenderFlags} from './sender-flags.js';

/** The key that a method needs; a public key is enough to check RSA. */
type NeededKey = SenderKey | 'rsaPublicKey';

/**
 * Finds a partner and its key: a file that a flag names, then the environment, then the keyfile,
 * then a hidden prompt. Throws 9001 when the partner is not known, 9015 when its key is not, and
 * what opening a keyfile throws.
 */
export async function loadSender(
  flags: SenderFlags,
  needed: NeededKey,
): Promise<SenderCredentials> {
  return (await findSender(flags, needed)).sender;
}

/** A partner whose header is checked, and the partners whose keys may have been used by mistake. */
export interface Suspect {
  readonly sender: SenderCredentials;
  readonly others: readonly PartnerEntry[];
}

/**
 * The same for a check: with the partner's other keys and the other partners of the keyfile, since
 * callers sign with the wrong one. `username` is the partner if nothing names another.
 */
export async function loadSuspect(
  flags: SenderFlags,
  needed: NeededKey,
  username: string | undefined,
): Promise<Suspect> {
  const {sender, entry, partners} = await findSender(flags, needed, username);
  const keyAtHand = async (name: 'partnerKey' | 'sharedKey') =>
    sender[name] ?? (await givenKey(flags, name)) ?? entry?.[name];
  const partnerKey = await keyAtHand('partnerKey');
  const sharedKey = await keyAtHand('sharedKey');
  return {
    sender: {...sender, partnerKey, sharedKey},
    others: partners.filter(({partnerId}) => partnerId !== sender.partnerId),
  };
}

interface FoundSender {
  readonly sender: SenderCredentials;
  /** The partner's entry, and all entries, if a keyfile had to be opened. */
  readonly entry: PartnerEntry | undefined;
  readonly partners: readonly PartnerEntry[];
}

async function findSender(
  flags: SenderFlags,
  needed: NeededKey,
  username?: string,
): Promise<FoundSender> {
  const given = await givenKey(flags, needed);
  const partners = given && flags.partner !== undefined ? [] : await partnersOf(flags);
  // A key that was given is that of the username, and so is the entry with its name.
  const isOwn = given !== undefined || partners.some(({partnerId}) => partnerId === username);
  const named = flags.partner ?? (isOwn ? username : undefined);
  const entry = entryOf(partners, named);
  const partnerId = named ?? entry?.partnerId ?? username;
  if (partnerId === undefined)
    throw new PaylensError(9001, 'missing partner ID', {hint: 'Pass --partner.'});
  const encoding = given
    ? flags['key-encoding']
    : (flags['key-encoding'] ?? entry?.encoding ?? 'utf8');
  if (needed === 'rsaPublicKey' && !given && entry?.rsaPublicKey !== undefined)
    return {sender: {partnerId, rsaPublicKey: entry.rsaPublicKey}, entry, partners};
  const key = given ?? keyOf(entry, needed) ?? (await askSenderKey(partnerId, needed));
  const name = needed === 'rsaPublicKey' ? 'privateKey' : needed;
  return {sender: {partnerId, encoding, [name]: key}, entry, partners};
}

const VARIABLES: Readonly<Record<NeededKey, string>> = {
  partnerKey: 'PAYLENS_PARTNER_KEY',
  sharedKey: 'PAYLENS_SHARED_KEY',
  privateKey: '',
  rsaPublicKey: '',
};

async function givenKey(flags: SenderFlags, needed: NeededKey): Promise<Secret | undefined> {
  if (needed === 'privateKey' || needed === 'rsaPublicKey') {
    const file = flags['rsa-private-key'];
    return file === undefined
      ? undefined
      : new Secret(await readSecretFile(file, '--rsa-private-key'));
  }
  const name = needed === 'partnerKey' ? 'partner-key-file' : 'shared-key-file';
  const file = flags[name];
  if (file !== undefined) return passphraseOf(file, `--${name}`);
  const text = process.env[VARIABLES[needed]];
  return text ? Secret.ofText(text) : undefined;
}

function entryOf(
  partners: readonly PartnerEntry[],
  partner: string | undefined,
): PartnerEntry | undefined {
  if (partner === undefined) return partners.length === 1 ? partners[0] : undefined;
  return partners.find(({partnerId}) => partnerId === partner);
}

// The default keyfile may be missing; a named one must exist.
async function partnersOf(flags: SenderFlags): Promise<readonly PartnerEntry[]> {
  try {
    return (await loadKeyfiles(flags)).flatMap(({keyfile}) => keyfile.partners);
  } catch (error) {
    const named = flags.keyfile !== undefined || Boolean(process.env.PAYLENS_KEYFILE);
    if (!named && error instanceof PaylensError && error.code === 9010) return [];
    throw error;
  }
}

function keyOf(entry: PartnerEntry | undefined, needed: NeededKey): Secret | undefined {
  if (needed !== 'partnerKey' && needed !== 'sharedKey') return undefined;
  return entry?.[needed];
}

function askSenderKey(partnerId: string, needed: NeededKey): Promise<Secret> {
  if (needed === 'privateKey' || needed === 'rsaPublicKey')
    throw new PaylensError(9015, `no RSA key found for ${partnerId}`, {
      hint: 'Pass the private key with --rsa-private-key.',
    });
  const name = needed === 'partnerKey' ? 'partnerKey' : 'shared key';
  const flag = needed === 'partnerKey' ? '--partner-key-file' : '--shared-key-file';
  const noTerminal = new PaylensError(9015, `no ${name} found for ${partnerId}`, {
    hint: `Provide it with ${flag}, ${VARIABLES[needed]}, or a keyfile that has the partner.`,
  });
  return askSecret(`The ${name} of ${partnerId}:`, noTerminal, (typed) => typed);
}
