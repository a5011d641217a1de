import {type FlagValues, flag} from '../flags/flag.js';
import {keyfileFlags} from '../keyfile/key-flags.js';

/** The partner that sends a request, and the source of its keys; no flag accepts a key itself. */
export const senderFlags = {
  partner: flag.text('ID', 'partner ID; may be omitted if there is only one', {char: 'p'}),
  'partner-key-file': flag.text('FILE', 'file containing the partnerKey'),
  'shared-key-file': flag.text('FILE', 'file containing the shared key'),
  'key-encoding': flag.choice(['utf8', 'hex', 'base64'] as const, 'encoding of the shared key'),
  'rsa-private-key': flag.text('FILE', 'RSA private key (PEM)'),
  ...keyfileFlags,
};

/** The values of `senderFlags`. */
export type SenderFlags = FlagValues<typeof senderFlags>;
