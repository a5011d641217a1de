import {readFile} from 'node:fs/promises';
import {isJsonObject, readJson} from '../../contract/parse-json.js';
import {packageRoot} from '../../files/package-root.js';

/**
 * Whether a file with secrets has only published ones: the test keys and the keys of the demo
 * partner. The place of the file does not matter.
 */
export async function isPublished(bytes: Uint8Array): Promise<boolean> {
  const text = new TextDecoder().decode(bytes).trim();
  const known = await publishedSecrets();
  if (known.has(plain(text))) return true;
  const read = readJson(text);
  if ('fault' in read) return false;
  const found = [...secretsIn(read.value)];
  return found.length > 0 && found.every((secret) => known.has(plain(secret)));
}

/** What is published, as `plain` gives it. */
async function publishedSecrets(): Promise<ReadonlySet<string>> {
  const {testKeys} = await import('../../engine/dukpt/key-ring.js');
  const {DEMO_PARTNER} = await import('../../service/registry/demo-registry.js');
  const rsaKey = await readFile(new URL('samples/demo-rsa-key.pem', packageRoot()), 'utf8');
  const {partnerKey, sharedKey} = DEMO_PARTNER;
  const hex = testKeys().map(({secret}) => Buffer.from(secret.reveal()).toString('hex'));
  return new Set([rsaKey, partnerKey, sharedKey, ...hex].map(plain));
}

/** A key without the blanks and the case in which it may be written. */
function plain(text: string): string {
  return /^[0-9a-f\s]+$/i.test(text)
    ? text.replace(/\s/g, '').toLowerCase()
    : text.replace(/\s/g, '');
}

/** Members whose value is a secret, or may be one. */
const SECRETS = new Set(['partnerKey', 'sharedKey']);

/** The secrets of a request, a case to diagnose, a configuration or a file of keys. */
function* secretsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* value.flatMap((key) => [...secretsOfKey(key)]);
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (SECRETS.has(name)) yield String(member);
    else if (name === 'keys' && Array.isArray(member)) yield* secretsIn(member);
    else if (isJsonObject(member)) yield* secretsIn(member);
  }
}

/** Anything other than a clear key counts as a secret. */
function* secretsOfKey(key: unknown): Generator<string> {
  yield isJsonObject(key) && typeof key.hex === 'string' ? key.hex : JSON.stringify(key);
}
