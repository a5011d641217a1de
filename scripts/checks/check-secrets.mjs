// Checks that the repository, including files that git would add, contains no private keys and no
// card numbers except published test cards. Deliberate ones are on a list by their SHA-256, with
// the reason; an entry that is no longer needed is a failure as well. Another folder may be given
// as argument.
import {execFileSync} from 'node:child_process';
import {createHash, createPrivateKey} from 'node:crypto';
import {existsSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const OWN_ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIST = 'scripts/checks/deliberate-secrets.json';
const TEST_CARDS = 'src/simulator/test-cards.ts';

const PEM = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----[^-]{40,}-----END/g;
const AGE = /AGE-(?:SECRET-KEY-1|PLUGIN-)[0-9A-Z]{40,}/g;
const BASE64_DER = /M[CDEFGHIJ][A-Za-z0-9+/]{60,}={0,2}/g;
const JWK = /"d"\s*:\s*"[\w-]{40,}"/g;

/**
 * Twelve digits or more, grouped or not, on their own or at the start of a track. Digits inside hex
 * or an identifier are chance: one in ten such runs satisfies Luhn.
 */
const GROUPED = /3[47]\d\d[ -]\d{6}[ -]\d{5}|[2-6]\d{3}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,3})?/;
const NUMBER = new RegExp(
  `(?<![\\dA-Za-z.])B?([2-6]\\d{11,18}|${GROUPED.source})(?=[^\\dA-Za-z]|$|D\\d{7})`,
  'g',
);

const root = path.resolve(process.argv[2] ?? OWN_ROOT);
const isOwn = root === path.resolve(OWN_ROOT);
const deliberate = JSON.parse(readFileSync(path.join(OWN_ROOT, LIST), 'utf8'));
const unused = new Set(Object.keys(deliberate));
const testCards = new Set(
  [...readFileSync(path.join(OWN_ROOT, TEST_CARDS), 'utf8').matchAll(/'(\d{12,19})'/g)].map(
    ([, pan]) => pan,
  ),
);

const files = filesOf(root);
const faults = files.flatMap(faultsOf);
if (isOwn) {
  for (const hash of unused) faults.push(`${LIST}: nothing has the SHA-256 ${hash} any more`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`Remove it, or add its SHA-256 and the reason to ${LIST}.`);
  process.exit(1);
}
console.log(`secrets: ${files.length} files hold none but those on the list`);

function filesOf(folder) {
  const argv = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', argv, {cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26});
  const paths = [...new Set(names.split('\0'))].filter((name) => name !== '');
  return paths.filter((name) => {
    const full = path.join(folder, name);
    return existsSync(full) && statSync(full).isFile();
  });
}

function faultsOf(name) {
  const bytes = readFileSync(path.join(root, name));
  const text = bytes.toString('latin1');
  return [
    ...privateKeysIn(bytes, text).map(([secret, at]) =>
      fault(name, text, at, secret, 'a private key'),
    ),
    ...cardNumbersIn(text).map(([pan, at]) => fault(name, text, at, pan, 'a card number')),
  ].filter((each) => each !== undefined);
}

/** Undefined for secrets on the list. The message does not quote the secret. */
function fault(name, text, at, secret, what) {
  const hash = createHash('sha256').update(secret).digest('hex');
  unused.delete(hash);
  if (hash in deliberate) return undefined;
  const line = text.slice(0, at).split('\n').length;
  return `${name}:${line}: ${what}, SHA-256 ${hash}`;
}

/** Each key without white space, and its position. */
function privateKeysIn(bytes, text) {
  const found = [];
  for (const {0: block, index} of text.matchAll(PEM)) found.push([bare(block), index]);
  for (const {0: identity, index} of text.matchAll(AGE)) found.push([identity, index]);
  for (const {0: encoded, index} of text.matchAll(BASE64_DER)) {
    const inPem = /-{5}(?:\\n|\s)*$/.test(text.slice(Math.max(0, index - 20), index));
    if (!inPem && isPrivateKey(Buffer.from(bare(encoded), 'base64')))
      found.push([bare(encoded), index]);
  }
  for (const {0: member, index} of text.matchAll(JWK)) found.push([bare(member), index]);
  if (bytes[0] === 0x30 && isPrivateKey(bytes)) found.push([bytes, 0]);
  return found;
}

function bare(text) {
  return text.replace(/\\[nr]|\s/g, '');
}

function isPrivateKey(key) {
  return ['pkcs8', 'pkcs1', 'sec1'].some((type) => {
    try {
      return createPrivateKey({key, format: 'der', type}).type === 'private';
    } catch {
      return false;
    }
  });
}

/** Card numbers, by length, first digit and check digit, and their positions. */
function cardNumbersIn(text) {
  return [...text.matchAll(NUMBER)].flatMap(({1: number, index}) => {
    const pan = number.replace(/[ -]/g, '');
    return pan.length <= 19 && isLuhn(pan) && !testCards.has(pan) ? [[pan, index]] : [];
  });
}

function isLuhn(pan) {
  const sum = [...pan].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
