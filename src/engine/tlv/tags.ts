/** Tags that terminals use for plain values although bit 6 of the first byte says constructed. */
const PRIMITIVE_DESPITE_BIT_6 = new Set([
  'FFEE12',
  'FFEE13',
  'FFEE14',
  'FF1D',
  'FF1E',
  'FF1F',
  'FF20',
  'FF21',
]);

/** Bit 6 of the first byte is the second bit of the first digit. */
const CONSTRUCTED = /^[2367ABEF]/;

/** True when the value of `tag` (upper-case hex) is itself a TLV list: bit 6 of the first byte. */
export function isConstructed(tag: string): boolean {
  return CONSTRUCTED.test(tag) && !PRIMITIVE_DESPITE_BIT_6.has(tag);
}

export const UNKNOWN_TAG = 'unknown tag';

/** The name of a tag, from the terminal's own table first, then from EMV. */
export function tagName(tag: string, own: Readonly<Record<string, string>> = {}): string {
  return own[tag] ?? EMV_TAGS[tag] ?? UNKNOWN_TAG;
}

/** True for tags whose clear value is card data: PAN, track data, discretionary data. */
export function holdsCardData(tag: string): boolean {
  return CARD_DATA_TAGS.has(tag);
}

const CARD_DATA_TAGS = new Set([
  ...['56', '57', '5A', '5F21', '5F22', '5F23', '9F1F', '9F20', '9F6B'],
  ...['DFDB01', 'DFDB02', 'DFDB03', 'DFDB05', 'DFDB06'],
]);

/** A terminal's own tags whose content is known. */
export interface TagKinds {
  readonly ksn?: ReadonlySet<string>;
  readonly serial?: ReadonlySet<string>;
  readonly opaque?: ReadonlySet<string>;
}

/**
 * The kind of an object's value, by its tag; undefined if it may contain anything, as may a tag
 * that merely claims to be masked.
 */
export function tagSensitivity(
  tag: string,
  value: Uint8Array,
  own: TagKinds = {},
): 'harmless' | 'opaque' | undefined {
  if (own.ksn?.has(tag)) return value.length <= MAX_KSN_BYTES ? 'harmless' : undefined;
  if (own.serial?.has(tag) || tag === '9F1E') return isPrintable(value) ? 'harmless' : undefined;
  if (AMOUNTS.has(tag)) return value.length === AMOUNT_BYTES ? 'harmless' : undefined;
  return own.opaque?.has(tag) || OPAQUE_TAGS.has(tag) ? 'opaque' : undefined;
}

const MAX_KSN_BYTES = 12;
const AMOUNTS: ReadonlySet<string> = new Set(['9F02', '9F03']);
const AMOUNT_BYTES = 6;

function isPrintable(value: Uint8Array): boolean {
  return value.every((byte) => (byte >= 0x20 && byte <= 0x7e) || byte === 0);
}

/** Texts, cryptograms, certificates, lists of tags and of rules: never packed digits. */
const OPAQUE_TAGS: ReadonlySet<string> = new Set([
  ...[
    '4F',
    '50',
    '5F20',
    '5F2D',
    '5F50',
    '71',
    '72',
    '84',
    '86',
    '8C',
    '8D',
    '8E',
    '90',
    '91',
    '92',
  ],
  ...[
    '93',
    '94',
    '97',
    '98',
    '99',
    '9D',
    '9F01',
    '9F06',
    '9F0B',
    '9F10',
    '9F12',
    '9F16',
    '9F1C',
    '9F26',
  ],
  ...['9F2D', '9F2F', '9F38', '9F46', '9F48', '9F49', '9F4B', '9F4C', '9F4E', '9F4F', '9F5B'],
]);

/** Data objects of EMV Book 3, Annex A, of the contactless kernels (Book C) and of ISO 7816-4. */
export const EMV_TAGS: Readonly<Record<string, string>> = {
  '42': 'issuer identification number',
  '4F': 'application identifier (AID)',
  '50': 'application label',
  '56': 'track 1 data',
  '57': 'track 2 equivalent data',
  '5A': 'application PAN',
  '5F20': 'cardholder name',
  '5F21': 'track 1',
  '5F22': 'track 2',
  '5F23': 'track 3',
  '5F24': 'application expiration date',
  '5F25': 'application effective date',
  '5F28': 'issuer country code',
  '5F2A': 'transaction currency code',
  '5F2D': 'language preference',
  '5F30': 'service code',
  '5F34': 'PAN sequence number',
  '5F36': 'transaction currency exponent',
  '5F50': 'issuer URL',
  '5F53': 'international bank account number (IBAN)',
  '5F54': 'bank identifier code (BIC)',
  '5F55': 'issuer country code (alpha 2)',
  '5F56': 'issuer country code (alpha 3)',
  '5F57': 'account type',
  '61': 'application template',
  '6F': 'FCI template',
  '70': 'record template',
  '71': 'issuer script template 1',
  '72': 'issuer script template 2',
  '73': 'directory discretionary template',
  '77': 'response message template format 2',
  '80': 'response message template format 1',
  '81': 'amount, authorised (binary)',
  '82': 'application interchange profile (AIP)',
  '83': 'command template',
  '84': 'dedicated file name',
  '86': 'issuer script command',
  '87': 'application priority indicator',
  '88': 'short file identifier',
  '89': 'authorisation code',
  '8A': 'authorisation response code',
  '8C': 'CDOL1',
  '8D': 'CDOL2',
  '8E': 'CVM list',
  '8F': 'CA public key index (ICC)',
  '90': 'issuer public key certificate',
  '91': 'issuer authentication data',
  '92': 'issuer public key remainder',
  '93': 'signed static application data',
  '94': 'application file locator (AFL)',
  '95': 'terminal verification results (TVR)',
  '97': 'TDOL',
  '98': 'transaction certificate hash value',
  '99': 'transaction PIN data',
  '9A': 'transaction date',
  '9B': 'transaction status information (TSI)',
  '9C': 'transaction type',
  '9D': 'directory definition file name',
  '9F01': 'acquirer identifier',
  '9F02': 'amount, authorised (numeric)',
  '9F03': 'amount, other (numeric)',
  '9F04': 'amount, other (binary)',
  '9F05': 'application discretionary data',
  '9F06': 'AID, terminal',
  '9F07': 'application usage control',
  '9F08': 'application version number, card',
  '9F09': 'application version number, terminal',
  '9F0B': 'cardholder name, extended',
  '9F0D': 'issuer action code, default',
  '9F0E': 'issuer action code, denial',
  '9F0F': 'issuer action code, online',
  '9F10': 'issuer application data',
  '9F11': 'issuer code table index',
  '9F12': 'application preferred name',
  '9F13': 'last online ATC register',
  '9F14': 'lower consecutive offline limit',
  '9F15': 'merchant category code',
  '9F16': 'merchant identifier',
  '9F17': 'PIN try counter',
  '9F18': 'issuer script identifier',
  '9F19': 'token requestor ID',
  '9F1A': 'terminal country code',
  '9F1B': 'terminal floor limit',
  '9F1C': 'terminal identification',
  '9F1D': 'terminal risk management data',
  '9F1E': 'interface device serial number',
  '9F1F': 'track 1 discretionary data',
  '9F20': 'track 2 discretionary data',
  '9F21': 'transaction time',
  '9F22': 'CA public key index (terminal)',
  '9F23': 'upper consecutive offline limit',
  '9F24': 'payment account reference (PAR)',
  '9F25': 'last 4 digits of the PAN',
  '9F26': 'application cryptogram',
  '9F27': 'cryptogram information data',
  '9F2D': 'ICC PIN encipherment public key certificate',
  '9F2E': 'ICC PIN encipherment public key exponent',
  '9F2F': 'ICC PIN encipherment public key remainder',
  '9F32': 'issuer public key exponent',
  '9F33': 'terminal capabilities',
  '9F34': 'CVM results',
  '9F35': 'terminal type',
  '9F36': 'application transaction counter (ATC)',
  '9F37': 'unpredictable number',
  '9F38': 'PDOL',
  '9F39': 'point-of-service entry mode',
  '9F3A': 'amount, reference currency',
  '9F3B': 'application reference currency',
  '9F3C': 'transaction reference currency code',
  '9F3D': 'transaction reference currency exponent',
  '9F40': 'additional terminal capabilities',
  '9F41': 'transaction sequence counter',
  '9F42': 'application currency code',
  '9F43': 'application reference currency exponent',
  '9F44': 'application currency exponent',
  '9F45': 'data authentication code',
  '9F46': 'ICC public key certificate',
  '9F47': 'ICC public key exponent',
  '9F48': 'ICC public key remainder',
  '9F49': 'DDOL',
  '9F4A': 'static data authentication tag list',
  '9F4B': 'signed dynamic application data',
  '9F4C': 'ICC dynamic number',
  '9F4D': 'log entry',
  '9F4E': 'merchant name and location',
  '9F4F': 'log format',
  '9F53': 'transaction category code',
  '9F5B': 'issuer script results',
  '9F66': 'terminal transaction qualifiers (TTQ)',
  '9F6B': 'track 2 data (magstripe mode)',
  '9F6C': 'card transaction qualifiers (CTQ)',
  '9F6D': 'kernel 2 application version',
  '9F6E': 'form factor indicator',
  '9F7C': 'customer exclusive data',
  A5: 'FCI proprietary template',
  BF0C: 'FCI issuer discretionary data',
};
