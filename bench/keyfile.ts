import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {generateX25519Identity, identityToRecipient} from 'age-encryption';
import {openKeyfile} from '../src/keyfile/open-keyfile.js';
import {median} from './measure.js';
import type {Goal} from './report.js';

/** About as many as fit into the 1 MiB of a keyfile. */
const RECIPIENTS = 9_000;
const ROUNDS = 5;
const GOAL = 2;

/**
 * Measures opening a keyfile of many recipients as the last of them, compared with the `age` tool.
 */
export async function benchKeyfile(): Promise<Goal[]> {
  const folder = mkdtempSync(join(tmpdir(), 'paylens-keyfile-'));
  try {
    const {ours, theirs} = await compared(folder);
    const found = ours / theirs;
    const name = `keyfile of ${RECIPIENTS} recipients`;
    console.log(`\n${name}, processor ms (start-up of node left out)`);
    console.log(`  paylens ${ours.toFixed(0)}, age ${theirs.toFixed(0)}: ${found.toFixed(2)} x`);
    return [{name, wanted: GOAL, found, most: true}];
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

async function compared(folder: string): Promise<{ours: number; theirs: number}> {
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()];
  const [last, first] = [await identityToRecipient(identity), await identityToRecipient(other)];
  const paths = ['key', 'list', 'file.age', 'plain'].map((name) => join(folder, name));
  const [key = '', list = '', file = '', plain = ''] = paths;
  writeFileSync(key, `${identity}\n`);
  writeFileSync(list, `${`${first}\n`.repeat(RECIPIENTS - 1)}${last}\n`);
  writeFileSync(plain, '{"version":1,"keys":[]}');
  age('-R', list, '-o', file, plain);
  const bytes = readFileSync(file);
  const passphrase = () => Promise.reject(new Error('the file has none'));
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await openKeyfile(bytes, {identities: [identity], passphrase});
    const {user, system} = process.cpuUsage(before);
    ours.push((user + system) / 1000);
    theirs.push(age('-d', '-i', key, '-o', join(folder, 'out'), file));
  }
  return {ours: median(ours), theirs: median(theirs)};
}

/** Runs `age`; returns its CPU time in milliseconds. */
function age(...argv: readonly string[]): number {
  const script = 'TIMEFORMAT="%U %S"; time age "$@"';
  const {status, stderr} = spawnSync('bash', ['-c', script, 'age', ...argv], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`age ended with ${status}: ${stderr}`);
  const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return 1000 * (user + system);
}
