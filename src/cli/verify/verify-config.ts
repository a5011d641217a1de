import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {SenderCredentials} from '../../client/credentials.js';
import type {Configuration} from '../../conformance/scenario.js';
import {
  AUTH_METHODS,
  type AuthMethod,
  isAuthMethod,
  KEY_OF_METHOD,
} from '../../contract/auth-method.js';
import {type JsonObject, parseJsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {unreadable} from '../input/input-file.js';
import {warnOfOpenJson} from '../input/warn-of-open-file.js';
import {readSecretFile} from '../keyfile/passphrase.js';

/** The data of `verify --config` about an endpoint and its caller. */
export interface VerifyConfig {
  readonly credentials: SenderCredentials;
  readonly withoutHmac?: SenderCredentials | undefined;
  readonly methods: ReadonlySet<AuthMethod>;
  readonly config: Configuration;
}

/**
 * Reads a configuration: partner, methods, devices, payloads. Keys that it omits come from
 * PAYLENS_PARTNER_KEY and PAYLENS_SHARED_KEY; files that it names are relative to it. Throws 9002
 * if it cannot be read or a member is malformed, naming the member.
 */
export async function readVerifyConfig(path: string | undefined): Promise<VerifyConfig> {
  const file = path === undefined ? {} : await readJson(path);
  demandKnownMembers(file);
  const partner = objectMember(file, 'partner');
  const credentials = await credentialsOf(partner, dirname(path ?? '.'));
  const unsigned = objectMember(file, 'partnerWithoutHmac');
  const {partnerWithoutHmac: _, partner: __, methods, ...config} = file;
  return {
    credentials,
    methods: new Set(methods === undefined ? methodsOf(credentials) : namedMethods(methods)),
    config: config as Configuration,
    withoutHmac:
      typeof unsigned.partnerId === 'string'
        ? {partnerId: unsigned.partnerId, sharedKey: secretOf(unsigned.sharedKey) ?? ANY_KEY}
        : undefined,
  };
}

/** A partner without HMAC has no shared key: any will do to be refused with. */
const ANY_KEY = new Secret(new TextEncoder().encode('no shared key was issued'));

async function readJson(path: string): Promise<JsonObject> {
  try {
    const bytes = await readFile(path);
    await warnOfOpenJson(path, bytes.toString('latin1'));
    return parseJsonObject(bytes);
  } catch (error) {
    throw new PaylensError(9002, `configuration ${path}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof PaylensError ? error : unreadable(error)).detail;
}

// Otherwise a mistyped member would leave scenarios out in silence.
function demandKnownMembers(file: JsonObject): void {
  const unknown = Object.keys(file).find((name) => !MEMBERS.includes(name));
  if (unknown === undefined) return;
  const found = /^\w{1,32}$/.test(unknown) ? unknown : 'another';
  throw unfit(`expected members ${MEMBERS.join(', ')}, found ${found}`);
}

const MEMBERS = [
  ...['partner', 'methods', 'partnerWithoutHmac'],
  ...['device', 'inactiveDevice', 'twoClients', 'payloads'],
];

async function credentialsOf(partner: JsonObject, folder: string): Promise<SenderCredentials> {
  const {partnerId = '', encoding = 'utf8', rsaPrivateKeyFile} = partner;
  const {PAYLENS_PARTNER_KEY, PAYLENS_SHARED_KEY} = process.env;
  if (typeof partnerId !== 'string') throw unfit('partner.partnerId: expected a string');
  if (encoding !== 'utf8' && encoding !== 'hex' && encoding !== 'base64') {
    throw unfit('partner.encoding: expected utf8, hex or base64');
  }
  const rsa =
    typeof rsaPrivateKeyFile === 'string' && rsaPrivateKeyFile !== ''
      ? resolve(folder, rsaPrivateKeyFile)
      : undefined;
  return {
    partnerId,
    encoding,
    partnerKey: secretOf(partner.partnerKey ?? PAYLENS_PARTNER_KEY),
    sharedKey: secretOf(partner.sharedKey ?? PAYLENS_SHARED_KEY),
    privateKey: rsa === undefined ? undefined : new Secret(await readSecretFile(rsa)),
  };
}

/** The methods that the keys at hand allow; pre-emptive Digest must be named. */
function methodsOf(credentials: SenderCredentials): AuthMethod[] {
  if (credentials.partnerId === '') return [];
  return AUTH_METHODS.filter(
    (method) => method !== 'digest-preemptive' && credentials[KEY_OF_METHOD[method]],
  );
}

function objectMember(file: JsonObject, name: string): JsonObject {
  const value = file[name] ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  throw unfit(`${name}: expected an object`);
}

// Otherwise a mistyped method would leave scenarios out in silence.
function namedMethods(value: unknown): AuthMethod[] {
  if (Array.isArray(value) && value.every(isAuthMethod)) return value;
  throw unfit(`methods: expected an array of ${AUTH_METHODS.join(', ')}`);
}

function secretOf(value: unknown): Secret | undefined {
  return typeof value === 'string' && value !== ''
    ? new Secret(new TextEncoder().encode(value))
    : undefined;
}

function unfit(why: string): PaylensError {
  return new PaylensError(9002, `configuration: ${why}`);
}
