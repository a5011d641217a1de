import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {writableKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {
  newSecrets,
  PARTNER_SECRET_NAMES,
  PARTNER_SECRETS,
  partnerSecretFlags,
} from '../../cli/keyfile/partner-secret.js';
import {reportPartner} from '../../cli/keyfile/partner-table.js';
import {readPublicKey} from '../../cli/keyfile/read-public-key.js';
import {SHARED_KEY_ENCODINGS} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {replacePartner, selectPartner} from '../../keyfile/change-partners.js';
import type {PartnerEntry} from '../../keyfile/partner-entry.js';

/** Gives a partner of a keyfile new keys. */
export default class PartnerRotate extends BaseCommand {
  static override description =
    'Replace the keys of a partner.\n\n' +
    'The old keys stop working when `serve` is next started or reloaded. If flags supply keys, ' +
    'only those are replaced. Otherwise those that it has are generated and shown once.';
  static override args = {
    partner_id: arg.required('partner ID'),
  };
  static override flags = {
    ...keyfileFlags,
    ...partnerSecretFlags,
    'key-encoding': flag.choice(
      SHARED_KEY_ENCODINGS,
      'encoding of the new shared key; default: unchanged',
    ),
    'rsa-public-key': flag.text('FILE', 'new RSA public key of the partner (SPKI, PEM)'),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> WATERFORD',
    '<%= config.bin %> <%= command.id %> WATERFORD --shared-key-file new.txt --key-encoding hex',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PartnerRotate);
    const file = await writableKeyfile(flags);
    const {keyfile} = await file.load();
    const before = selectPartner(keyfile.partners, args.partner_id);
    const {changes, keys} = await newKeys(before, flags);
    const {partnerDirectory} = await import('../../service/registry/registry.js');
    const {partners} = await file.update((opened) => {
      const partner = {...selectPartner(opened.keyfile.partners, args.partner_id), ...changes};
      partnerDirectory([partner]);
      return {keyfile: replacePartner(opened.keyfile, partner)};
    });
    const partner = selectPartner(partners, args.partner_id);
    const {path} = file;
    const what = `Rotated keys of ${args.partner_id} in ${path}`;
    await reportPartner(what, {path, partner, keys, json: flags.json});
  }
}

type RotateFlags = InferredFlags<typeof PartnerRotate.flags>;

async function newKeys(partner: PartnerEntry, flags: RotateFlags) {
  const names = replaced(partner, flags);
  const pem = flags['rsa-public-key'];
  const encoding = flags['key-encoding'] ?? partner.encoding ?? 'utf8';
  const {secrets, generated} = await newSecrets(names, flags, encoding);
  const rsa = pem === undefined ? {} : {rsaPublicKey: await readPublicKey(pem)};
  return {changes: {...secrets, ...rsa}, keys: generated};
}

/** Which secrets are replaced. Throws 9001 when that is none, or an encoding is for no new key. */
function replaced(partner: PartnerEntry, flags: RotateFlags) {
  const given = PARTNER_SECRET_NAMES.filter((name) => flags[`${name}-file`] !== undefined);
  const set = PARTNER_SECRET_NAMES.filter((name) => partner[PARTNER_SECRETS[name]]);
  const names = given.length > 0 || flags['rsa-public-key'] !== undefined ? given : set;
  if (names.length === 0 && flags['rsa-public-key'] === undefined) {
    throw new PaylensError(
      9001,
      `partner ${partner.partnerId} has neither a partnerKey nor a shared key`,
      {hint: 'Give one in a file, or replace its RSA key with --rsa-public-key.'},
    );
  }
  if (flags['key-encoding'] !== undefined && !names.includes('shared-key')) {
    throw new PaylensError(9001, '--key-encoding requires a new shared key');
  }
  return names;
}
