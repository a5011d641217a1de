import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {encryptionFlags, encryptionText, encryptionView} from '../../cli/keyfile/encryption.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {onlyKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {newPassphrase, readPassphrase} from '../../cli/keyfile/passphrase.js';
import {note, noteCommand, printJson} from '../../cli/output/output.js';
import {DEFAULT_WORK_FACTOR} from '../../keyfile/age/work-factor.js';
import type {KeyfileEncryption} from '../../keyfile/encrypt-keyfile.js';
import {emptyKeyfile} from '../../keyfile/keyfile.js';
import {createKeyfile} from '../../keyfile/save-keyfile.js';

/** Makes an empty keyfile under a new passphrase or for age recipients. */
export default class KeyfileCreate extends BaseCommand {
  static override description =
    'Create an empty, encrypted keyfile.\n\n' +
    'The keyfile uses the age format. It is decrypted with the passphrase, or with the ' +
    'identity of any one recipient. A keyfile is for test keys and tools: keys of a P2PE ' +
    'solution belong in an HSM.';
  static override flags = {
    keyfile: keyfileFlags.keyfile,
    'passphrase-file': flag.text(
      'FILE',
      'read the passphrase from this file (a trailing newline is ignored)',
      {exclusive: ['recipient']},
    ),
    ...encryptionFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --keyfile test.age --passphrase-file passphrase.txt',
    '<%= config.bin %> <%= command.id %> --keyfile ci.age --recipient age1cu3y68hsvqzdsna43ftf7mf539d99t2m9yhnync2up7g0ysw9fms4xwzyx',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyfileCreate);
    const path = onlyKeyfile(flags);
    const encryption = await encryptionOf(flags);
    await createKeyfile(path, emptyKeyfile(new Date().toISOString()), encryption);
    if (flags.json) return printJson({path, ...encryptionView(encryption)});
    note(`Created ${path}, encrypted ${encryptionText(encryption)}.`);
    noteCommand('paylens key add');
  }
}

async function encryptionOf(
  flags: InferredFlags<typeof KeyfileCreate.flags>,
): Promise<KeyfileEncryption> {
  if (flags.recipient) return {kind: 'recipients', recipients: [...new Set(flags.recipient)]};
  const passphrase = await newPassphrase(await readPassphrase(flags['passphrase-file']));
  return {kind: 'passphrase', passphrase, workFactor: flags['work-factor'] ?? DEFAULT_WORK_FACTOR};
}
