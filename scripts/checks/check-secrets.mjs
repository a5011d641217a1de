// Checks that the repository, including files that git would add, has no card numbers but published
// test cards and no age identities; secretlint looks for other keys. Deliberate ones are on a list by
// their SHA-256, with the reason. Another folder may be given as argument.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const OWN_ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIST = 'scripts/checks/deliberate-secrets.json';
const AGE = /AGE-(?:SECRET-KEY-1|PLUGIN-)[0-9A-Z]{40,}/g;
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
const deliberate = JSON.parse(readFileSync(path.join(OWN_ROOT, LIST), 'utf8'));
const testCards = readFileSync(path.join(OWN_ROOT, 'src/simulator/test-cards.ts'), 'utf8');
const listed = new Set();

const argv = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const names = execFileSync('git', argv, {cwd: root, encoding: 'utf8', maxBuffer: 1 << 26});
const files = names.split('\0').filter((name) => name !== '' && isFile(path.join(root, name)));
const faults = files.flatMap(faultsIn);
if (root === path.resolve(OWN_ROOT)) {
  const unused = Object.keys(deliberate).filter((hash) => !listed.has(hash));
  faults.push(...unused.map((hash) => `${LIST}: nothing has the SHA-256 ${hash}`));
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`secrets: ${files.length} files hold none but those on the list`);

function isFile(file) {
  return existsSync(file) && statSync(file).isFile();
}

/** The message does not quote the secret. */
function faultsIn(name) {
  const text = readFileSync(path.join(root, name), 'latin1');
  const secrets = [
    ...[...text.matchAll(AGE)].map(({0: found, index}) => [found, index, 'an age identity']),
    ...[...text.matchAll(NUMBER)].map(({1: found, index}) => [bare(found), index, 'a card number']),
  ];
  return secrets
    .filter(([found, , what]) => what !== 'a card number' || isCard(found))
    .flatMap(([found, at, what]) => {
      const hash = createHash('sha256').update(found).digest('hex');
      listed.add(hash);
      const line = text.slice(0, at).split('\n').length;
      return hash in deliberate ? [] : [`${name}:${line}: ${what}, SHA-256 ${hash}`];
    });
}

function bare(number) {
  return number.replaceAll(/[ -]/g, '');
}

function isCard(pan) {
  const sum = [...pan].reverse().reduce((total, digit, i) => {
    const weighted = i % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return pan.length <= 19 && sum % 10 === 0 && !testCards.includes(`'${pan}'`);
}
