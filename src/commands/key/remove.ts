import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {confirmRemoval} from '../../cli/input/prompt.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {kcvText} from '../../cli/keyfile/key-table.js';
import {writableKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {note, printJson} from '../../cli/output/output.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {describeKey, type KeyDescription} from '../../keyfile/keys/describe-key.js';
import {KEY_ALGORITHMS, KEY_KINDS, type KeyEntry} from '../../keyfile/keys/key-entry.js';
import {selectKey} from '../../keyfile/keys/select-key.js';

/** Removes one key from a keyfile. */
export default class KeyRemove extends BaseCommand {
  static override description =
    'Remove a key from the keyfile.\n\n' +
    'Select it by name, or by kind and KSN prefix. Without --ksn-prefix, the key of this kind ' +
    'that applies to every KSN is removed.';
  static override args = {
    name: arg.optional('name of the key'),
  };
  static override flags = {
    ...keyfileFlags,
    kind: flag.choice(KEY_KINDS, 'kind of the key'),
    'ksn-prefix': flag.text('HEX', 'KSN prefix the key was added with', {dependsOn: ['kind']}),
    algorithm: flag.choice(KEY_ALGORITHMS, 'algorithm of the key', {dependsOn: ['kind']}),
    yes: flag.on('skip the confirmation'),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> lab',
    '<%= config.bin %> <%= command.id %> --kind bdk --ksn-prefix FFFF987654 --yes',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(KeyRemove);
    const file = await writableKeyfile(flags);
    const {kind, algorithm, 'ksn-prefix': ksnPrefix} = flags;
    if (args.name !== undefined && kind !== undefined)
      throw new PaylensError(9001, 'expected either a name, or --kind with --ksn-prefix');
    const selector = {name: args.name, kind, ksnPrefix, algorithm};
    if (!flags.yes) {
      const {keyfile} = await file.load();
      const key = describeKey(selectKey(keyfile.keys, selector));
      if (!(await confirmRemoval(nameOf(key), file.path, flags))) return;
    }
    const removed: KeyEntry[] = [];
    await file.update(({keyfile}) => {
      const key = selectKey(keyfile.keys, selector);
      removed.push(key);
      return {keyfile: {...keyfile, keys: keyfile.keys.filter((other) => other !== key)}};
    });
    const [description] = removed.map(describeKey);
    if (flags.json) printJson({path: file.path, ...description});
    else if (description) note(`Removed ${nameOf(description)} from ${file.path}.`);
  }
}

function nameOf({name, kind, ksnPrefix, kcv}: KeyDescription): string {
  const words = [name === undefined ? kind : `${kind} "${name}"`, ksnPrefix, `KCV ${kcvText(kcv)}`];
  return words.filter((word) => word !== undefined).join(', ');
}
