// Started by a test, and killed by it. `write A B` saves the contents of the files A and B in turn;
// `update` opens the keyfile, adds a key and saves it, again and again.
import {readFileSync} from 'node:fs';
import {writeDurably} from '../../src/files/write-durably.js';
import {withWriterLock} from '../../src/files/writer-lock.js';

const [path = '', work, ...versions] = process.argv.slice(2);
const save = work === 'write' ? writing(versions) : await updating();
process.stdout.write('saving\n');
for (;;) await save();

function writing(files: string[]): () => Promise<void> {
  const contents = files.map((file) => readFileSync(file));
  return async () => {
    for (const content of contents) await withWriterLock(path, () => writeDurably(path, content));
  };
}

async function updating(): Promise<() => Promise<unknown>> {
  const {keyEntryFrom} = await import('../../src/keyfile/keys/key-entry.js');
  const {updateKeyfile} = await import('../../src/keyfile/save-keyfile.js');
  const {ALICE, byIdentity, TEST_BDK} = await import('./sample-keyfile.js');
  return () =>
    updateKeyfile(path, byIdentity(ALICE.identity), ({keyfile}) => {
      const ksnPrefix = keyfile.keys.length.toString(16).padStart(4, '0');
      const key = keyEntryFrom({kind: 'bdk', hex: TEST_BDK, ksnPrefix}, 'new key');
      return {keyfile: {...keyfile, keys: [...keyfile.keys, key].slice(-200)}};
    });
}
