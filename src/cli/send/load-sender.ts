import type {SenderCredentials} from '../../client/credentials.js';
import type {SenderKey} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';
import {askSecret} from '../input/prompt.js';
import {loadKeyfilesIfAny} from '../keyfile/open-keyfile.js';
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
  const given: SenderCredentials = sender;
  const keyAtHand = async (name: 'partnerKey' | 'sharedKey') =>
    given[name] ?? (await givenKey(flags, name)) ?? entry?.[name];
  const partnerKey = await keyAtHand('partnerKey');
  const sharedKey = await keyAtHand('sharedKey');
  return {
    sender: {...sender, partnerKey, sharedKey},
    others: partners.filter(({partnerId}) => partnerId !== sender.partnerId),
  };
}

/** The sender; its entry, and all entries, if a keyfile had to be opened. */
async function findSender(flags: SenderFlags, needed: NeededKey, username?: string) {
  const given = await givenKey(flags, needed);
  const isKnown = given !== undefined && flags.partner !== undefined;
  const keyfiles = isKnown ? [] : await loadKeyfilesIfAny(flags);
  const partners = keyfiles.flatMap(({keyfile}) => keyfile.partners);
  // A key that was given is that of the username, and so is the entry with its name.
  const isOwn = given !== undefined || partners.some(({partnerId}) => partnerId === username);
  const named = flags.partner ?? (isOwn ? username : undefined);
  const [only, ...others] = partners;
  const isOnly = named === undefined && others.length === 0;
  const entry = isOnly ? only : partners.find(({partnerId}) => partnerId === named);
  const partnerId = named ?? entry?.partnerId ?? username;
  if (partnerId === undefined)
    throw new PaylensError(9001, 'missing partner ID', {hint: 'Pass --partner.'});
  const encoding = given
    ? flags['key-encoding']
    : (flags['key-encoding'] ?? entry?.encoding ?? 'utf8');
  if (needed === 'rsaPublicKey' && !given && entry?.rsaPublicKey !== undefined)
    return {sender: {partnerId, rsaPublicKey: entry.rsaPublicKey}, entry, partners};
  const known = isOfRsa(needed) ? undefined : entry?.[needed];
  const key = given ?? known ?? (await askSenderKey(partnerId, needed));
  const name = needed === 'rsaPublicKey' ? 'privateKey' : needed;
  const sender: SenderCredentials = {partnerId, encoding, [name]: key};
  return {sender, entry, partners};
}

/** Where the keys come from that are texts. */
const TEXT_KEYS = {
  partnerKey: {name: 'partnerKey', flag: 'partner-key-file', variable: 'PAYLENS_PARTNER_KEY'},
  sharedKey: {name: 'shared key', flag: 'shared-key-file', variable: 'PAYLENS_SHARED_KEY'},
} as const;

function isOfRsa(needed: NeededKey): needed is 'privateKey' | 'rsaPublicKey' {
  return needed === 'privateKey' || needed === 'rsaPublicKey';
}

async function givenKey(flags: SenderFlags, needed: NeededKey): Promise<Secret | undefined> {
  if (isOfRsa(needed)) {
    const file = flags['rsa-private-key'];
    return file === undefined
      ? undefined
      : new Secret(await readSecretFile(file, '--rsa-private-key'));
  }
  const {flag, variable} = TEXT_KEYS[needed];
  const file = flags[flag];
  if (file !== undefined) return passphraseOf(file, `--${flag}`);
  const text = process.env[variable];
  return text ? Secret.ofText(text) : undefined;
}

function askSenderKey(partnerId: string, needed: NeededKey): Promise<Secret> {
  if (isOfRsa(needed))
    throw new PaylensError(9015, `no RSA key found for ${partnerId}`, {
      hint: 'Pass the private key with --rsa-private-key.',
    });
  const {name, flag, variable} = TEXT_KEYS[needed];
  const noTerminal = new PaylensError(9015, `no ${name} found for ${partnerId}`, {
    hint: `Provide it with --${flag}, ${variable}, or a keyfile that has the partner.`,
  });
  return askSecret(`The ${name} of ${partnerId}:`, noTerminal, (typed) => typed);
}
