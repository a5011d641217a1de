import {string} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {
  changeKeyfile,
  loadKeyfile,
  onlyKeyfile,
  unlockFor,
} from '../../cli/keyfile/open-keyfile.js';
import {newPassphrase, passphraseOf} from '../../cli/keyfile/passphrase.js';
import {sealFlags, sealText, sealView} from '../../cli/keyfile/seal.js';
import {note, printJson} from '../../cli/output/output.js';
import {DEFAULT_WORK_FACTOR} from '../../keyfile/age/work-factor.js';
import type {Seal} from '../../keyfile/seal-keyfile.js';

interface RekeyFlags {
  readonly recipient?: readonly string[] | undefined;
  readonly 'new-passphrase-file'?: string | undefined;
  readonly 'work-factor'?: number | undefined;
}

/** Re-encrypts a keyfile with another passphrase, work factor or recipients. */
export default class KeyfileRekey extends BaseCommand {
  static override description =
    'Re-encrypt a keyfile with a new passphrase or for new recipients.\n\n' +
    'With --work-factor alone, the passphrase is kept. Existing copies can still be decrypted ' +
    'with the old passphrase or identities.';
  static override flags = {
    ...keyfileFlags,
    ...sealFlags,
    'new-passphrase-file': string({
      description: 'read the new passphrase from this file (a trailing newline is ignored)',
      helpValue: 'FILE',
      exclusive: ['recipient'],
    }),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --work-factor 20',
    '<%= config.bin %> <%= command.id %> --passphrase-file old.txt --new-passphrase-file new.txt',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyfileRekey);
    const path = onlyKeyfile(flags);
    const unlock = await unlockFor(path, flags);
    // Decrypt first, so that a wrong passphrase is reported before prompting for a new one.
    const seal = await newSeal(flags, (await loadKeyfile(path, unlock)).seal);
    await changeKeyfile(path, unlock, ({keyfile}) => ({keyfile, seal}));
    if (flags.json) printJson({path, ...sealView(seal)});
    else note(`${path} is now encrypted ${sealText(seal)}.`);
  }
}

async function newSeal(flags: RekeyFlags, old: Seal): Promise<Seal> {
  if (flags.recipient) return {kind: 'recipients', recipients: [...new Set(flags.recipient)]};
  const file = flags['new-passphrase-file'];
  const before = old.kind === 'passphrase' ? old.workFactor : DEFAULT_WORK_FACTOR;
  const workFactor = flags['work-factor'] ?? before;
  const stays = file === undefined && flags['work-factor'] !== undefined;
  if (stays && old.kind === 'passphrase') return {...old, workFactor};
  const given = file === undefined ? undefined : await passphraseOf(file);
  return {kind: 'passphrase', passphrase: await newPassphrase(given), workFactor};
}
