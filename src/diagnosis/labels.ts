/** What a finding is to its reader: something to change, how the data is encrypted, or true anyway. */
export type Rank = 'mistake' | 'setting' | 'background';

/** What a finding is about; of things with several properties, which of them. */
type Thing = 'key' | 'KSN' | 'IV' | 'mode' | 'framing' | 'bytes' | 'type';
type Subject = Thing | `${Thing}: ${string}`;

/** The meaning of a label: its row of the usual mistakes (docs/diagnose-reference.md) and one sentence. */
interface LabelText {
  /** 0: none of the thirteen rows. */
  readonly row: number;
  readonly rank: Rank;
  readonly subject: Subject;
  /** Labels that it contradicts, and subjects of which no other finding says the truth. */
  readonly excludes: readonly string[];
  readonly text: string;
}

/** Labels of one row with the same meaning for others, and their sentences to the user who tries to decrypt. */
function group<const L extends string>(
  row: number,
  rank: Rank,
  subject: Subject,
  excludes: readonly string[],
  texts: Readonly<Record<L, string>>,
): Readonly<Record<L, LabelText>> {
  const labels = Object.entries<string>(texts).map(([label, text]) => [
    label,
    {row, rank, subject, excludes, text},
  ]);
  return Object.fromEntries(labels) as Record<L, LabelText>;
}

const TABLE = {
  ...group(0, 'setting', 'type', ['wrong-variant', 'ksn-padded', 'ksn-of-message'], {
    'decrypts-plainly': 'Nothing is wrong: the payload decrypts as its format specifies.',
  }),
  ...group(0, 'mistake', 'type', ['type'], {
    'clear-data': 'The card data is in cleartext: there is nothing to decrypt.',
    'wrong-type': 'The payload is of another type of terminal than the one given.',
    'other-data': 'This may not be terminal ciphertext at all.',
    'one-block':
      'Only the card number is encrypted, in one block under a working key, without DUKPT and KSN: too little for a search to prove a key.',
    'closed-scheme': 'The data is encrypted with a scheme that is not public or not DUKPT.',
  }),
  ...group(0, 'mistake', 'bytes', [], {
    'masked-copy-differs':
      'The data decrypts, but something contradicts the result: a masked copy, a hash, another card or date, or data beside the card data.',
    'expected-differs': 'The data decrypts, but not to the expected plaintext.',
  }),
  ...group(0, 'mistake', 'key: search', [], {
    'out-of-time': 'The time limit was reached before everything was tried.',
  }),
  ...group(1, 'setting', 'key: variant', ['key: variant'], {
    'variant-data':
      'The key is the data encryption variant with self-encryption: XOR both halves with 0000000000FF0000, then encrypt each half under the masked key.',
    'variant-data-plain':
      'The key is the data encryption variant without self-encryption: XOR both halves with 0000000000FF0000 and nothing more (X9.24-1:2004 style).',
    'variant-pin':
      'The data is encrypted under the PIN variant: XOR both halves with 00000000000000FF, no self-encryption.',
    'variant-mac': 'The data is encrypted under the MAC variant of the key.',
    'variant-response': 'The data is encrypted under a response variant of the key.',
    'variant-none':
      'The data is encrypted under the transaction key itself, without a variant mask.',
  }),
  ...group(1, 'mistake', 'key: asked variant', [], {
    'wrong-variant':
      'The data uses a different variant from the one requested or specified by the format.',
  }),
  ...group(2, 'mistake', 'KSN', ['KSN'], {
    'ksn-padded':
      'The KSN was too short: its leading bytes were dropped. Left-pad it to full length.',
    'ksn-filler': 'The KSN was padded with the wrong value, or on the wrong side.',
    'ksn-digit-missing': 'A hex digit is missing from the KSN.',
    'ksn-mistyped':
      'The KSN is mistyped: one hex digit is wrong or extra, or two adjacent digits are transposed.',
    'ksn-decimal-counter': 'The KSN counter was written in decimal; it must be hexadecimal.',
    'ksn-embedded': 'The KSN is embedded in longer text.',
    'ksn-reversed': 'The KSN bytes are in reverse order.',
    'ksn-initial':
      'The supplied KSN is the initial KSN of the device (counter 0 or all F): the read has its own counter, which the terminal sends with it.',
    'ksn-malformed': 'The KSN has an invalid length.',
  }),
  ...group(2, 'mistake', 'KSN', ['KSN', 'no-key'], {
    'ksn-missing': 'No KSN was given and none was found: DUKPT requires one.',
  }),
  ...group(2, 'mistake', 'KSN: counter', ['KSN: counter'], {
    'ksn-counter-bits':
      'The counter has more than ten bits set (AES: sixteen): no conforming terminal sends this KSN, and some libraries derive a different key for it.',
    'ksn-counter-zero':
      "The counter is 0: this is a device's initial KSN, which no transaction uses.",
  }),
  ...group(2, 'background', 'KSN: counter', [], {
    'ksn-many-bits':
      'The counter has several bits set: a library that handles only one set bit derives a wrong key.',
  }),
  ...group(3, 'mistake', 'framing', [], {
    'whole-frame':
      'The input is the whole frame, not just ciphertext: decrypt only its encrypted fields.',
    'wrong-slice': 'The ciphertext was extracted at the wrong offset or length.',
    'bytes-around':
      'The payload is surrounded by other bytes: a length or header before it, a checksum or status after it.',
    'part-missing':
      'Only part of the data decrypts: the rest is truncated, damaged, or encrypted under another key.',
    'masked-part':
      'A masked field was used as ciphertext: asterisks (2A) and mask digits cannot be decrypted.',
    'length-impossible':
      'The length is not a multiple of the cipher block size: data is missing or extra.',
  }),
  ...group(3, 'mistake', 'mode: chain', ['mode: chain'], {
    'chain-restart': 'Several ciphertexts were concatenated: CBC chaining restarts at each track.',
    'chain-runs-on':
      'The ciphertexts are one: CBC chaining continues from each track to the next, and only the plaintext shows where a track ends.',
  }),
  ...group(3, 'mistake', 'bytes', ['frame-intact'], {
    'frame-lost-character': 'Characters were lost from the frame in transit.',
    'frame-added-character': 'The frame contains an extra character.',
    'digits-missing':
      'Hex digits were replaced by letters, asterisks or dots and are lost: after such a gap, CBC decryption resumes one block later.',
    'data-damaged': 'Part of the ciphertext is damaged.',
  }),
  ...group(4, 'setting', 'key: role', ['key: role'], {
    'key-is-bdk': 'The key is the base derivation key (BDK).',
  }),
  ...group(4, 'mistake', 'key: role', ['key: role'], {
    'key-is-ik':
      'The key is the initial key (IK, IPEK) of the device, not the kind it was given as.',
    'key-is-transaction-key':
      'The key is the transaction key of this read: apply only the variant mask.',
    'key-is-working-key': 'The key is the working key itself: use it without derivation.',
  }),
  ...group(4, 'mistake', 'key', ['key'], {
    'key-mistyped':
      'The key is mistyped: one or two hex digits are wrong, or two adjacent digits or bytes are transposed.',
    'key-digit-count': 'The key is one hex digit too short or too long.',
    'key-parity':
      "The key's parity bits were changed: DUKPT uses all key bits, so every derived key differs although the KCV is the same.",
    'key-halves': 'The key halves are swapped or were supplied separately.',
    'key-of-other-read': 'The supplied key belongs to another read of the device.',
    'key-wrong': 'The supplied key is not used by this read: a different key decrypts it.',
  }),
  ...group(4, 'mistake', 'key', ['key', 'key: role'], {
    'key-of-variant':
      'The supplied key is another variant of the transaction key than the one that encrypted the data.',
  }),
  ...group(4, 'mistake', 'key: all', ['key: all'], {
    'wrong-key': 'None of the keys decrypts the data.',
  }),
  ...group(5, 'mistake', 'key: all', ['key: all'], {
    'no-key':
      'No key is available for this KSN. Check the KSN digit by digit, then ask the vendor for the key or for demo keys.',
    'components-combined': 'The key is the XOR of the components.',
    'component-missing': 'This is one key component: XOR all components to get the key.',
  }),
  ...group(5, 'setting', 'key: all', ['key: all'], {
    'test-key': 'The read is encrypted under a published test key: no private key is needed.',
  }),
  ...group(6, 'setting', 'mode', ['mode'], {
    'mode-ecb': 'The data is encrypted in ECB mode, not CBC.',
    'mode-cbc': 'The data is encrypted in CBC mode.',
    'mode-unproven':
      'Only the first block is proven: CBC with a zero IV and ECB decrypt it alike, so the mode is unknown.',
  }),
  ...group(6, 'setting', 'IV', ['IV'], {
    'iv-hidden': 'The IV is non-zero and is part of the payload.',
    'iv-given': 'The IV is the supplied one.',
  }),
  ...group(6, 'mistake', 'IV', ['IV'], {
    'iv-missing': 'Only the first block is wrong: key and mode are correct, the IV is missing.',
    'iv-not-used': 'The supplied IV is not used: this data uses a zero IV.',
    'iv-malformed': 'The IV is not written as the format requires.',
  }),
  ...group(7, 'setting', 'bytes: packing', [], {
    'packing-4bit':
      'The plaintext is packed: each nibble is one character (B is ;, D is =, F is ?).',
    'packing-6bit': 'The plaintext is packed: each 6-bit value plus hex 20 is one character.',
    'packing-bcd': 'The plaintext is packed BCD: D is the separator, F the padding.',
    'packing-tlv': 'The plaintext is a TLV list, not a track.',
    'packing-text': 'The plaintext is text, but not a track.',
    'padding-counted': 'The data ends with padding (PKCS#7, ISO 7816-4 or X9.23): remove it.',
    'no-sentinels': 'The track has no sentinels (% ; ?).',
    'hand-keyed': 'The card was keyed manually: this is not magnetic stripe track data.',
  }),
  ...group(7, 'mistake', 'bytes: packing', [], {
    'bytes-in-front': 'Zeros or a length precede the track: remove them.',
    'not-card-data': 'The key is correct, but the plaintext is not card data.',
  }),
  ...group(8, 'setting', 'bytes: PIN format', ['bytes: PIN format'], {
    'pin-block': 'This is a PIN block: one block under the PIN variant, XORed with the PAN field.',
    'pin-format-1': 'This is an ISO 9564 format 1 PIN block, which has no PAN field.',
    'pin-format-3': 'This is an ISO 9564 format 3 PIN block.',
    'pin-format-4':
      'This is an ISO 9564 format 4 PIN block: AES, 16 bytes, encrypted twice with the PAN block in between.',
  }),
  ...group(8, 'mistake', 'bytes: PIN field', ['bytes: PIN field'], {
    'pin-pan-digits':
      'The PIN block was built with the wrong PAN digits: ISO 9564 uses the rightmost 12, excluding the check digit.',
    'pin-no-pan': 'The PIN block was built without a PAN: the PAN field is zero.',
    'pin-pan-needed': 'This may be a PIN block: it cannot be confirmed without the PAN.',
  }),
  ...group(8, 'mistake', 'key: asked variant', [], {
    'pin-transaction-key': 'The PIN block is encrypted under a key other than the PIN variant.',
  }),
  ...group(9, 'background', 'framing', [], {
    'frame-intact': 'Length, LRC and checksums of the frame are correct.',
  }),
  ...group(9, 'mistake', 'bytes', ['frame-intact'], {
    'frame-damaged': 'The frame is damaged: a gateway will reject it as it is.',
    'frame-lower-case':
      'Keyboard-emulation text was converted to lower case: LRC and checksum cover the characters as sent.',
  }),
  ...group(9, 'mistake', 'bytes', ['frame-intact', 'ksn-missing', 'no-key', 'payload-mistyped'], {
    'frame-cut': 'The frame is truncated: a gateway will reject it.',
  }),
  ...group(10, 'mistake', 'bytes: typing', ['bytes', 'framing', 'IV', 'decrypts-plainly'], {
    'payload-mistyped':
      'The payload is mistyped: one character is wrong, lost or extra, or two adjacent ones are transposed (counted from 0).',
  }),
  ...group(10, 'mistake', 'bytes: notation', [], {
    'keyboard-layout':
      'The reader typed as a US keyboard, but the computer uses another layout: choose the US layout there, set the country of the reader, or disable its keyboard mode.',
    'hex-of-hex': 'Hex text was hex-encoded a second time.',
    'look-alikes': 'Letters were typed in place of similar digits: O for 0, I or l for 1.',
    base64: 'The data is base64: decode it before anything else.',
    'white-space':
      'There are spaces, line breaks or separators between the hex digits: remove them.',
    'odd-hex': 'The number of hex digits is odd: a digit was lost.',
    'text-encoding': 'Binary data was changed by a text encoding.',
    'text-escaped': 'The text is escaped (URL, JSON, C): unescape it first.',
  }),
  ...group(10, 'mistake', 'key', ['key'], {
    'hex-as-text':
      'A key was derived from the ASCII of its hex digits instead of the bytes they encode.',
    'padding-in-derivation':
      'Padding was added inside the key derivation: DUKPT encrypts whole blocks in ECB mode without padding.',
  }),
  ...group(10, 'mistake', 'framing', [], {
    'text-around': 'The payload is surrounded by other text.',
    'name-mistyped': 'The name of a field is mistyped: the format does not have it.',
  }),
  ...group(10, 'mistake', 'framing: count', ['payload-mistyped'], {
    'several-payloads': 'The text holds several payloads, and only one of them was decrypted.',
  }),
  ...group(11, 'mistake', 'KSN', ['KSN'], {
    'ksn-neighbour': 'The KSN belongs to another read from the same device.',
    'ksn-swapped':
      'The KSN belongs to another key of the device: track, EMV and PIN data each have their own.',
    'ksn-of-message': 'A different KSN of the same message belongs to this ciphertext.',
  }),
  ...group(12, 'background', 'bytes', [], {
    'cvv2-not-on-stripe':
      'The CVV2 printed on the card is neither on the magnetic stripe nor in the chip: it cannot be found here.',
  }),
  ...group(13, 'setting', 'key: scheme', [], {
    'aes-dukpt': 'This is AES DUKPT (X9.24-3): the KSN is 12 bytes long.',
    'aes-compatibility':
      'This is AES DUKPT with a 10-byte KSN (KSN compatibility mode of X9.24-3).',
    'aes-under-tdes':
      'The data is encrypted with AES-128 under the 16 bytes of the TDES DUKPT key.',
  }),
};

/** A closed set: scripts may rely on each of these labels. */
export type Label = keyof typeof TABLE;

/** Every verdict of a diagnosis: what it means, and which others it rules out. */
export const LABELS: Readonly<Record<Label, LabelText>> = TABLE;
