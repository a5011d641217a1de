import {option} from '@oclif/core/flags';
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
import {warnOfSharedKeys} from '../../cli/keyfile/warn-of-shared-keys.js';
import {
  AUTH_METHODS,
  type AuthMethod,
  KEY_OF_METHOD,
  SHARED_KEY_ENCODINGS,
} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {addPartner} from '../../keyfile/change-partners.js';

const USUAL_METHODS: readonly AuthMethod[] = ['transparent', 'basic', 'digest', 'hmac'];

/** Adds a partner to a keyfile. */
export default class PartnerAdd extends BaseCommand {
  static override description =
    'Add a partner to the keyfile.\n\n' +
    'The keys that its methods need are generated and shown once, unless you supply them in ' +
    'files. ' +
    `Without --method, ${USUAL_METHODS.join(', ')} are allowed, and rsa if the partner has an RSA key.`;
  static override args = {
    partner_id: arg.required('partner ID'),
  };
  static override flags = {
    ...keyfileFlags,
    method: option({
      options: AUTH_METHODS,
      description: 'allowed authentication method (repeatable)',
      multiple: true,
      multipleNonGreedy: true,
    })(),
    ...partnerSecretFlags,
    'key-encoding': flag.chosen(SHARED_KEY_ENCODINGS, 'utf8', 'encoding of the shared key'),
    'rsa-public-key': flag.text(
      'FILE',
      'RSA public key of the partner (SPKI, PEM), 2048 bits or more',
    ),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> WATERFORD',
    '<%= config.bin %> <%= command.id %> WATERFORD --method hmac --shared-key-file shared.txt',
    '<%= config.bin %> <%= command.id %> ACME --method rsa --rsa-public-key acme.pem --json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PartnerAdd);
    // What a header can carry, and Basic can split from the key (docs/contract.md#authentication).
    if (!/^(?! )[\x20-\x39\x3b-\x7e]{1,128}(?<! )$/.test(args.partner_id))
      throw new PaylensError(
        9001,
        'partnerId: expected 1 to 128 printable ASCII characters without a colon',
      );
    const file = await writableKeyfile(flags);
    const {partner, keys} = await partnerOf(args.partner_id, flags);
    const {partnerDirectory} = await import('../../service/registry/registry.js');
    partnerDirectory([partner]);
    const saved = await file.update(({keyfile}) => ({keyfile: addPartner(keyfile, partner)}));
    warnOfSharedKeys(saved.partners, partner.partnerId);
    const {path} = file;
    await reportPartner(`Added to ${path}`, {path, partner, keys, json: flags.json});
  }
}

type PartnerAddFlags = InferredFlags<typeof PartnerAdd.flags>;

async function partnerOf(partnerId: string, flags: PartnerAddFlags) {
  const pem = flags['rsa-public-key'];
  const rsaPublicKey = pem === undefined ? undefined : await readPublicKey(pem);
  const methods = [
    ...new Set(flags.method ?? [...USUAL_METHODS, ...(pem ? ['rsa' as const] : [])]),
  ];
  // The private key is the partner's own: it is not made here.
  if (methods.includes('rsa') && pem === undefined)
    throw new PaylensError(9001, '--method rsa requires --rsa-public-key', {
      hint: 'The partner creates it with: openssl pkey -in private.pem -pubout',
    });
  const needed = PARTNER_SECRET_NAMES.filter(
    (name) =>
      flags[`${name}-file`] !== undefined ||
      methods.some((method) => KEY_OF_METHOD[method] === PARTNER_SECRETS[name]),
  );
  const {secrets, generated} = await newSecrets(needed, flags, flags['key-encoding']);
  return {partner: {partnerId, ...secrets, rsaPublicKey, methods}, keys: generated};
}
