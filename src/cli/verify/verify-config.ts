import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {z} from 'zod';
import type {SenderCredentials} from '../../client/credentials.js';
import type {Configuration} from '../../conformance/scenario.js';
import {AUTH_METHODS, type AuthMethod, KEY_OF_METHOD} from '../../contract/auth-method.js';
import {type JsonObject, parseJsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {fitTo} from '../../files/schema-faults.js';
import {unreadable} from '../input/input-file.js';
import {warnOfOpenJson} from '../input/warn-of-open-file.js';
import {readSecretFile} from '../keyfile/passphrase.js';
import type {verifyConfig} from './verify-config-schema.js';

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
  const file = await fitting(path === undefined ? {} : await readJson(path));
  const {partner = {}, partnerWithoutHmac: unsigned, methods, $schema: _, ...config} = file;
  const credentials = await credentialsOf(partner, dirname(path ?? '.'));
  return {
    credentials,
    methods: new Set(methods ?? methodsOf(credentials)),
    config: config as Configuration,
    withoutHmac: unsigned && {
      partnerId: unsigned.partnerId,
      sharedKey: optionalSecret(unsigned.sharedKey) ?? ANY_KEY,
    },
  };
}

type ConfigFile = z.infer<typeof verifyConfig>;
type ConfigPartner = NonNullable<ConfigFile['partner']>;

async function fitting(file: JsonObject): Promise<ConfigFile> {
  const schema = await import('./verify-config-schema.js');
  const fitted = fitTo(schema.verifyConfig, file);
  if (fitted.ok) return fitted.value;
  throw new PaylensError(9002, `configuration: ${fitted.faults.join('; ')}`);
}

/** A partner without HMAC has no shared key: any will do to be refused with. */
const ANY_KEY = Secret.ofText('no shared key was issued');

async function readJson(path: string): Promise<JsonObject> {
  try {
    const bytes = await readFile(path);
    await warnOfOpenJson(path, bytes.toString('latin1'));
    return parseJsonObject(bytes);
  } catch (error) {
    if (!(error instanceof PaylensError)) throw unreadable(`configuration ${path}`, error);
    throw new PaylensError(9002, `configuration ${path}: ${error.detail}`);
  }
}

async function credentialsOf(
  {partnerId = '', encoding = 'utf8', rsaPrivateKeyFile, ...keys}: ConfigPartner,
  folder: string,
): Promise<SenderCredentials> {
  const {PAYLENS_PARTNER_KEY, PAYLENS_SHARED_KEY} = process.env;
  const rsa = rsaPrivateKeyFile ? resolve(folder, rsaPrivateKeyFile) : undefined;
  return {
    partnerId,
    encoding,
    partnerKey: optionalSecret(keys.partnerKey ?? PAYLENS_PARTNER_KEY),
    sharedKey: optionalSecret(keys.sharedKey ?? PAYLENS_SHARED_KEY),
    privateKey:
      rsa === undefined ? undefined : new Secret(await readSecretFile(rsa, 'rsaPrivateKeyFile')),
  };
}

/** The methods that the loaded keys support; pre-emptive Digest must be named. */
function methodsOf(credentials: SenderCredentials): AuthMethod[] {
  if (credentials.partnerId === '') return [];
  return AUTH_METHODS.filter(
    (method) => method !== 'digest-preemptive' && credentials[KEY_OF_METHOD[method]],
  );
}

function optionalSecret(value: string | undefined): Secret | undefined {
  return value ? Secret.ofText(value) : undefined;
}
