import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PUBLISHED_READS} from 'paylens/samples';
import {describe, expect, it} from 'vitest';
import {runCommand} from '../cli/run-command.js';
import {tempFolder} from '../keyfile/temp-folder.js';

/** Every published ciphertext, given alone with its KSN and its key. */

const folder = tempFolder();
/** One block, which proves no key by itself (`one-block`, `pin-pan-needed`). */
const ONE_BLOCK = 16;
const FIELDS = PUBLISHED_READS.reads.flatMap(({id, keys, fields = []}) =>
  fields.flatMap(({name, ksn, ciphertext, iv}) => {
    const key = keys.find(({ksnPrefix = ''}) => ksn.startsWith(ksnPrefix));
    return key && ciphertext.length > ONE_BLOCK
      ? [{id: `${id} ${name}`, ksn, ciphertext, key, iv}]
      : [];
  }),
);

/** The words of a command as a shell splits them. */
function wordsOf(command: string): string[] {
  const words = command.match(/'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

describe('decrypt', () => {
  it('opens published ciphertexts, or gives the command that does', async () => {
    const outcomes: string[] = [];
    for (const {id, ksn, ciphertext, key, iv} of FIELDS) {
      const file = join(folder, 'key.hex');
      writeFileSync(file, key.hex, {mode: 0o600});
      const kind = key.kind === 'bdk' ? [] : ['--key-kind', key.kind];
      const ivs = /[^0]/.test(iv ?? '') ? ['--iv', `${iv}`] : [];
      const given = ['--ksn', ksn, '--key-file', file, ...kind, ...ivs];
      const first = await runCommand('decrypt', ['--payload', ciphertext, ...given]);
      const [, next = ''] = /^Next:\s+paylens (.*)$/m.exec(first.stderr) ?? [];
      expect(next).not.toContain(key.hex);
      const [command = '', ...argv] = wordsOf(next);
      const isKnown = command === 'decrypt' || command === 'diagnose';
      const then = isKnown ? await runCommand(command, argv) : first;
      outcomes.push(then.exitCode === 0 ? command : `${id}: ${first.stderr} ${then.stderr}`);
    }
    // Alone, the others are no cards: a third track, a tag, a document. `diagnose` shows them.
    const failed = outcomes.filter((one) => !['', 'decrypt', 'diagnose'].includes(one));
    expect(failed).toEqual([]);
    expect(outcomes.filter((one) => one === 'diagnose').length).toBeLessThan(20);
  });
});
