import {frozen} from './frozen.js';

/**
 * Every error of paylens. This table is the only source of codes, HTTP statuses and messages for
 * the service, the command line, `paylens errors` and the docs.
 */

/** The first line of the message, before the details. */
interface CatalogueEntry {
  /** HTTP status of the service; absent: only the command line gives this error. */
  readonly http?: number;
  /** Exit code of the command line. */
  readonly exit: number;
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
}

const entries = {
  1: {
    http: 500,
    exit: 1,
    message: 'Internal server error',
    hint: 'This is a bug in paylens. Please report it with the command you ran and its output under PAYLENS_TRACE=1.',
  },
  2: {
    http: 503,
    exit: 6,
    message: 'Service temporarily unavailable',
    hint: 'Send the request again after the time in Retry-After, signed with a new nonce.',
  },
  1003: {
    http: 401,
    exit: 5,
    message: 'Authentication required',
    hint: 'Check partnerId, key and method, and sign the exact bytes of the body you send.',
  },
  1101: {
    http: 400,
    exit: 2,
    message: 'Missing partnerId',
    hint: 'Put partnerId and partnerKey in the body, or send an Authorization header.',
  },
  1102: {
    http: 400,
    exit: 2,
    message: 'Missing partnerKey',
    hint: 'Put partnerId and partnerKey in the body, or send an Authorization header.',
  },
  1201: {
    http: 400,
    exit: 4,
    message: 'Missing serial number',
    hint: 'Send the device\'s serial number in "serial".',
  },
  1202: {
    http: 400,
    exit: 4,
    message: 'Device not found',
    hint: 'Register the serial number (and clientId) for this partner first.',
  },
  1203: {
    http: 400,
    exit: 4,
    message: 'Device inactive',
    hint: 'Set the status of the device to active or activating.',
  },
  1204: {
    http: 400,
    exit: 4,
    message: 'Invalid firmware version',
    hint: "Send the firmware version the device reported; it must be on the device's accepted list.",
  },
  1205: {
    http: 400,
    exit: 4,
    message: 'Duplicate devices: give clientId',
    hint: 'Several clients have a device with this serial number: also send clientId.',
  },
  2000: {
    http: 400,
    exit: 4,
    message: 'The deviceType parameter is required',
    hint: 'Set the terminal type: deviceType in a request, --device-type on the command line.',
  },
  2001: {
    http: 400,
    exit: 4,
    message: 'Invalid deviceType value',
    hint: 'Use one of the listed values, in lower case.',
  },
  2002: {
    http: 400,
    exit: 4,
    message: 'The devicePayload parameter is required',
    hint: 'Send the complete terminal output in devicePayload.',
  },
  2003: {
    http: 400,
    exit: 4,
    message: 'reference is longer than 50 characters',
    hint: 'Shorten the reference to at most 50 characters.',
  },
  2004: {
    http: 400,
    exit: 4,
    message: 'The request body is not valid JSON',
    hint: 'Send one JSON object in UTF-8, without duplicate members.',
  },
  2005: {
    http: 400,
    exit: 4,
    message: 'A parameter has the wrong type or form',
    hint: 'Fix the parameter named in the message.',
  },
  2006: {
    http: 413,
    exit: 4,
    message: 'Request body too large',
    hint: 'Send one card read per request; use `paylens decrypt --batch` for many.',
  },
  2007: {
    http: 415,
    exit: 6,
    message: 'Content-Type must be application/json',
    hint: 'Send Content-Type: application/json, without a Content-Encoding.',
  },
  2008: {
    http: 404,
    exit: 6,
    message: 'No such endpoint or method',
    hint: 'POST to /api/v1/partner/validate, /api/v1/device/validate or /api/v1/decrypt/parser.',
  },
  2009: {
    http: 400,
    exit: 6,
    message: 'Malformed or late HTTP request',
    hint: 'Send well-formed HTTP/1.1 within the header and time limits.',
  },
  2010: {
    http: 421,
    exit: 6,
    message: 'Host not served here',
    hint: 'Use a loopback name, or start the service with --allowed-host and the requested name.',
  },
  2011: {
    http: 403,
    exit: 6,
    message: 'Origin not allowed',
    hint: "Send the request from a program or from the service's own page; other web pages are not allowed to.",
  },
  2100: {
    http: 400,
    exit: 4,
    message: 'Payload not recognised as this deviceType',
    hint: 'Check deviceType and that the payload is complete. `paylens diagnose` can locate the change.',
  },
  2101: {
    http: 400,
    exit: 4,
    message: 'Payload damaged',
    hint: 'Capture the payload again: characters were lost, added or changed in transit.',
  },
  2102: {
    http: 400,
    exit: 4,
    message: 'Payload truncated',
    hint: 'Capture the complete payload: the end is missing.',
  },
  2103: {
    http: 400,
    exit: 4,
    message: 'deviceSerial does not match the payload',
    hint: 'Send the serial number contained in the payload, or omit deviceSerial.',
  },
  2110: {
    http: 400,
    exit: 4,
    message: 'Payload is not encrypted: refused',
    hint: 'Enable encryption in the terminal: cleartext card data must not be sent.',
  },
  2111: {
    http: 400,
    exit: 4,
    message: 'Encryption scheme known but not decryptable here',
    hint: 'Contact the vendor of the scheme, or configure the terminal for DUKPT.',
  },
  2400: {
    http: 400,
    exit: 4,
    message: 'KSN missing, malformed, or contradicting the payload',
    hint: 'Send the KSN of this card read: 20 hex digits for TDES DUKPT, 24 for AES DUKPT.',
  },
  2600: {
    http: 400,
    exit: 4,
    message: 'No key for this KSN',
    hint: 'Add the BDK or initial key of this key set: `paylens key add`.',
  },
  2601: {
    http: 400,
    exit: 4,
    message: 'Decryption failed: the plaintext is not card data (wrong key, variant or IV)',
    hint: 'Check that the key matches the key set and the KSN matches the card read, or run `paylens diagnose`.',
  },
  2602: {
    http: 400,
    exit: 4,
    message: 'iv missing or malformed',
    hint: 'Send the IV from this card read: one cipher block in hex.',
  },
  2800: {
    http: 400,
    exit: 4,
    message: 'PAN not found in decrypted data',
    hint: 'Decryption succeeded, but the data has no PAN. Is this a payment card?',
  },
  9001: {
    exit: 2,
    message: 'Invalid usage',
    hint: 'Run the command with --help.',
  },
  9002: {
    exit: 4,
    message: 'Cannot read input',
    hint: 'Check the path, permissions, encoding (UTF-8 or binary) and contents.',
  },
  9010: {
    exit: 3,
    message: 'Keyfile missing',
    hint: 'Create one with `paylens keyfile create`, or select one with --keyfile; --key-file gives one key for this run. To try paylens: --test-keys, or `serve --demo`.',
  },
  9011: {
    exit: 3,
    message: 'Wrong passphrase or identity',
    hint: 'Try again. A keyfile cannot be decrypted without its passphrase or identity.',
  },
  9012: {
    exit: 3,
    message: 'Keyfile damaged',
    hint: 'Restore the keyfile from a backup.',
  },
  9013: {
    exit: 3,
    message: 'Keyfile version not supported',
    hint: 'Update paylens to read this keyfile.',
  },
  9014: {
    exit: 3,
    message: 'File locked or not saved',
    hint: 'Another paylens process has the file: wait until it ends, or name another file.',
  },
  9015: {
    exit: 3,
    message: 'Invalid key',
    hint: 'Check the length, the characters and the key check value (KCV).',
  },
  9020: {
    exit: 6,
    message: 'Network error',
    hint: 'Check the address, the network and the proxy.',
  },
  9021: {
    exit: 6,
    message: 'Unexpected response',
    hint: 'Check that the base URL points to a Payload Parser service.',
  },
  9030: {
    exit: 130,
    message: 'Interrupted',
    hint: 'Run the command again.',
  },
  9040: {
    exit: 4,
    message: 'Your own terminal has a fault',
    hint: 'Fix the terminal that the message names; docs/own-terminal.md says what each member must be.',
  },
  9050: {
    exit: 4,
    message: 'No PIN block in the payload',
    hint: 'Leave out --pin, or capture the message in which the terminal sends the PIN block.',
  },
  9051: {
    exit: 4,
    message: 'PIN block not decrypted',
    hint: 'Check the key: many terminals encrypt the PIN under another base key than the card data.',
  },
} as const satisfies Record<number, CatalogueEntry>;

export type ErrorCode = keyof typeof entries;

/** Every code of the catalogue with its HTTP status, exit code, message and hint. */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = frozen(entries);

/** The codes in ascending order. */
export const ERROR_CODES = frozen(Object.keys(entries).map(Number)) as readonly ErrorCode[];

/** The errors of a payload and its key, which a diagnosis may explain. */
export const PAYLOAD_ERRORS: ReadonlySet<number> = new Set([
  ...[2000, 2100, 2101, 2102, 2103, 2400, 2600, 2601, 2602, 2800],
]);
