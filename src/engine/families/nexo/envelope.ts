import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromBase64, bytesFromHex, isHex, upperHexOf} from '../../../platform/bytes.js';
import {entryOf} from '../../forms/entry-of.js';
import {needsWorkingKey} from '../../forms/needs-working-key.js';
import {severalReads} from '../../forms/one-read.js';
import {type PinBlock, pinFormatOf} from '../../reading.js';
import {allOf, childOf, childrenOf, type Node, onlyText} from './document.js';
import {CLOSED_KEY_SCHEMES, DERIVATIONS, WRAPPED_KEYS} from './layout.js';

/** What an envelope says of its key and ciphertext. */
export interface CardEnvelope {
  readonly ciphertext: Uint8Array;
  /** Of its element or member. */
  readonly offset: number;
  /** Whose keys are derived. */
  readonly recipients: readonly Recipient[];
  /** Key of CIPHERS, or another name. */
  readonly cipher: string;
  readonly iv?: string | undefined;
  readonly padding?: string | undefined;
  /** Why the key cannot be derived. */
  readonly refusal?: PaylensError;
  /** Unless it is given. */
  readonly takesWorkingKey?: true;
}

/** One of those that can decrypt an envelope. */
export interface Recipient {
  /** Key of DERIVATIONS. */
  readonly derivation: string;
  /** In hex; absent: the request's. */
  readonly ksn?: string | undefined;
}

/**
 * Finds the only envelope of a message: that of ISO 20022 and Sale-to-POI messages, or one of the
 * objects of gateways (docs/terminals/nexo.md#forms).
 *
 * Throws 2100 if there is none, several, or a part of it is missing, 2110 for plain card data alone,
 * 2400 if its parts are no KSN.
 */
export function findEnvelope(root: Node): CardEnvelope {
  const cards = allOf(root, 'protectedCard', ['pinBlock']);
  const within = cards.length > 0 ? cards : [root];
  const envelopes = within.flatMap((card) => allOf(card, 'envelope', ['pinBlock']));
  const [first, ...others] = envelopes.length > 1 ? distinctNodes(envelopes) : envelopes;
  if (others.length > 0) throw severalReads('the message contains several envelopes');
  if (!first) return gatewayEnvelope(root) ?? throwNoEnvelope(root);
  const envelope = readEnvelope(first);
  if (hasGatewayData(root))
    throw severalReads('the message contains an envelope and the data of a gateway');
  return envelope;
}

/** Software has an `index`, a `ksn` or `data` of its own, but not a KSN and ciphertext outside of envelopes. */
function hasGatewayData(root: Node): boolean {
  const isKeyed = allOf(root, 'derivationName').length > 0;
  if (!isKeyed && !allOf(root, 'keyIndex').some(({text}) => KSN.test(text))) return false;
  const own = new Set(allOf(root, 'envelope').flatMap((one) => allOf(one, 'data')));
  return [...allOf(root, 'value'), ...allOf(root, 'data')].some(
    (node) => !own.has(node) && SEVERAL_BLOCKS.test(node.text),
  );
}

/** More than one block, in hex or base64. */
const SEVERAL_BLOCKS = /^\s*[\dA-Za-z+/]{22,}={0,2}\s*$/;

/** A node is the same wherever it stands. */
function distinctNodes(nodes: readonly Node[]): Node[] {
  const content = (node: Node) =>
    JSON.stringify(node, (name, value) => (name === 'offset' ? undefined : value));
  return [...new Map(nodes.map((node) => [content(node), node])).values()];
}

function throwNoEnvelope(root: Node): never {
  const plain = allOf(root, 'plainCard');
  if (plain.some((card) => allOf(card, 'pan').length > 0 || allOf(card, 'track').length > 0))
    throw new PaylensError(2110, 'plain card data, and no envelope');
  throw new PaylensError(2100, 'expected EnvlpdData, EnvelopedData or an encryptedData object');
}

function readEnvelope(envelope: Node): CardEnvelope {
  const content = childOf(envelope, 'content');
  const data = childOf(content, 'data');
  if (!content || !data) throw new PaylensError(2100, 'expected encrypted content in the envelope');
  const cipher = childOf(content, 'cipher');
  if (!cipher) throw new PaylensError(2100, 'expected the algorithm of the encrypted content');
  return {
    ciphertext: base64('encrypted data', data.text),
    offset: data.offset ?? 0,
    cipher: algorithmName(cipher, 'algorithm'),
    iv: ivDigits(onlyText(cipher, 'iv')),
    padding: onlyText(cipher, 'padding'),
    ...recipientKeys(envelope),
  };
}

/** The encrypted PIN of a message, in a separate envelope; none if that is malformed. */
export function envelopePins(root: Node): PinBlock[] {
  const format = pinFormatOf(onlyText(root, 'pinFormat'));
  return allOf(root, 'pinBlock').flatMap((pin) =>
    allOf(pin, 'envelope').flatMap((envelope) => {
      const data = childOf(childOf(envelope, 'content'), 'data');
      const ciphertext = data && bytesFromBase64(data.text.replaceAll(/\s/g, ''));
      if (!ciphertext) return [];
      const block = {name: 'encrypted PIN block', offset: data.offset ?? 0, ciphertext, format};
      return recipientKeys(envelope).recipients.map(({ksn}) => ({ksn, ...block}));
    }),
  );
}

type Keys = Pick<CardEnvelope, 'recipients' | 'refusal' | 'takesWorkingKey'>;

/** Throws 2400 if no recipient whose key is derived has a KSN. */
function recipientKeys(envelope: Node): Keys {
  const recipients = childrenOf(envelope, 'recipient');
  const keks = recipients.flatMap((recipient) => childrenOf(recipient, 'kek'));
  const derived = keks.filter((kek) => Object.hasOwn(DERIVATIONS, keyAlgorithm(kek)));
  if (derived.length > 0) return {recipients: derivedRecipients(derived)};
  const names = keks.map(keyAlgorithm);
  const wrapped = names.map((name) => entryOf(WRAPPED_KEYS, name)).find(Boolean);
  if (wrapped !== undefined) return underWorkingKey(wrapped);
  const isShared = recipients.some((each) => allOf(each, 'keyId', ['transport']).length > 0);
  const isTransport = recipients.some((each) => childrenOf(each, 'transport').length > 0);
  if (isShared && !isTransport && keks.length === 0) return underWorkingKey('a shared key');
  const [name] = names;
  if (name === undefined && !isTransport)
    throw new PaylensError(2100, 'expected a recipient with KEK in the envelope');
  return closedKeys(name);
}

/** A key that must be given. */
function underWorkingKey(what: string, code?: 2600): Keys {
  return {recipients: [], refusal: needsWorkingKey(what, code), takesWorkingKey: true};
}

function closedKeys(name = 'ersa'): Keys {
  const why = entryOf(CLOSED_KEY_SCHEMES, name) ?? 'an unknown key encryption algorithm';
  return {recipients: [], refusal: new PaylensError(2111, why)};
}

/** Those with a KSN, or without one. Throws 2400 if what all of them have is none. */
function derivedRecipients(keks: readonly Node[]): Recipient[] {
  const faults: unknown[] = [];
  const recipients = keks.flatMap((kek) => {
    try {
      return [{derivation: keyAlgorithm(kek), ksn: kekKsn(kek)}];
    } catch (error) {
      faults.push(error);
      return [];
    }
  });
  if (recipients.length === 0) throw faults[0];
  return recipients;
}

function keyAlgorithm(kek: Node): string {
  const algorithm = childOf(kek, 'keyAlgorithm');
  return algorithm ? algorithmName(algorithm, 'algorithm') : '';
}

function algorithmName(node: Node, name: 'algorithm'): string {
  return (childOf(node, name)?.text || node.text).trim().toLowerCase();
}

/** A KSN is in two parts, or whole in the first. */
function kekKsn(kek: Node): string | undefined {
  const derivation = onlyText(kek, 'derivation');
  const wrapped = childOf(kek, 'wrappedKey')?.text ?? '';
  if (derivation === undefined) return undefined;
  const first = base64('DerivtnId', derivation);
  const second = wrapped === '' ? new Uint8Array() : base64('NcrptdKey', wrapped);
  const length = first.length + second.length;
  if (length === 10 || length === 12) return upperHexOf(first) + upperHexOf(second);
  throw new PaylensError(2400, `DerivtnId and NcrptdKey: expected 10 or 12 bytes, found ${length}`);
}

/** Objects of gateways, whose members are siblings. */
function gatewayEnvelope(root: Node): CardEnvelope | undefined {
  const derivation = onlyText(root, 'derivationName')?.toLowerCase();
  const index = onlyText(root, 'keyIndex');
  const holders = [...allOf(root, 'value'), ...allOf(root, 'data')].filter(({text}) => text !== '');
  const [data, other] = new Set(holders.map(({text}) => text));
  if (other !== undefined) throw severalReads('encrypted data and value: two texts, one expected');
  if (data === undefined || (derivation ?? index) === undefined) return undefined;
  const isWhole = index !== undefined && KSN.test(index);
  const cipherPart = {
    ciphertext: isHex(data) ? evenHex(data) : base64('encrypted data', data),
    offset: holders.find(({text}) => text === data)?.offset ?? 0,
    iv: ivDigits(onlyText(root, 'iv')),
  };
  const recipient = (name: string) => [{derivation: name, ...(isWhole ? {ksn: index} : {})}];
  if (derivation === undefined)
    return {recipients: recipient('dukpt2017'), cipher: 'aes128cbc', ...cipherPart};
  const cipher = onlyText(root, 'cipherName')?.toLowerCase() ?? 'des112cbc';
  if (Object.hasOwn(DERIVATIONS, derivation))
    return {recipients: recipient(derivation), cipher, ...cipherPart};
  const keys =
    derivation === MASTER_SESSION ? underWorkingKey(MASTER_KEY, 2600) : closedKeys(derivation);
  return {cipher, ...cipherPart, ...keys};
}

const MASTER_SESSION = 'mastersession';
const MASTER_KEY = 'a master and session key, which has no KSN';

const KSN = /^(?:[\da-f]{20}|[\da-f]{24})$/i;

function evenHex(digits: string): Uint8Array {
  const bytes = bytesFromHex(digits);
  if (bytes) return bytes;
  throw new PaylensError(2102, `encrypted data: odd number of hex digits: found ${digits.length}`);
}

function base64(name: string, text: string): Uint8Array {
  const bytes = bytesFromBase64(text.replaceAll(/\s/g, ''));
  if (bytes && bytes.length > 0) return bytes;
  throw new PaylensError(2100, `${name}: expected base64`);
}

/** Base64 in messages, hex in some gateways' objects; any other text as it is. */
function ivDigits(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^(?:[\da-f]{16}|[\da-f]{32})$/i.test(text)) return text.toUpperCase();
  const bytes = bytesFromBase64(text.replaceAll(/\s/g, ''));
  return bytes && bytes.length > 0 ? upperHexOf(bytes) : text;
}
