import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {encryptionFlags, encryptionText, encryptionView} from '../../cli/keyfile/encryption.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {writableKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {newPassphrase, passphraseOf} from '../../cli/keyfile/passphrase.js';
import {note, printJson} from '../../cli/output/output.js';
import {DEFAULT_WORK_FACTOR} from '../../keyfile/age/work-factor.js';
import type {KeyfileEncryption} from '../../keyfile/encrypt-keyfile.js';

/** Re-encrypts a keyfile with another passphrase, work factor or recipients. */
export default class KeyfileRekey extends BaseCommand {
  static override description =
    'Re-encrypt a keyfile with a new passphrase or for new recipients.\n\n' +
    'With --work-factor alone, the passphrase is kept. Existing copies can still be decrypted ' +
    'with the old passphrase or identities.';
  static override flags = {
    ...keyfileFlags,
    ...encryptionFlags,
    'new-passphrase-file': flag.text(
      'FILE',
      'read the new passphrase from this file (a trailing newline is ignored)',
      {exclusive: ['recipient']},
    ),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --work-factor 20',
    '<%= config.bin %> <%= command.id %> --passphrase-file old.txt --new-passphrase-file new.txt',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyfileRekey);
    const file = await writableKeyfile(flags);
    // Decrypt first, so that a wrong passphrase is reported before prompting for a new one.
    const encryption = await newEncryption(flags, (await file.load()).encryption);
    await file.update(({keyfile}) => ({keyfile, encryption}));
    if (flags.json) printJson({path: file.path, ...encryptionView(encryption)});
    else note(`${file.path} is now encrypted ${encryptionText(encryption)}.`);
  }
}

async function newEncryption(
  flags: InferredFlags<typeof KeyfileRekey.flags>,
  old: KeyfileEncryption,
): Promise<KeyfileEncryption> {
  if (flags.recipient) return {kind: 'recipients', recipients: [...new Set(flags.recipient)]};
  const file = flags['new-passphrase-file'];
  const before = old.kind === 'passphrase' ? old.workFactor : DEFAULT_WORK_FACTOR;
  const workFactor = flags['work-factor'] ?? before;
  const stays = file === undefined && flags['work-factor'] !== undefined;
  if (stays && old.kind === 'passphrase') return {...old, workFactor};
  const given = file === undefined ? undefined : await passphraseOf(file, '--new-passphrase-file');
  return {kind: 'passphrase', passphrase: await newPassphrase(given), workFactor};
}
