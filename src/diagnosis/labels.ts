/** The meaning of a label: its row of the usual mistakes (docs/diagnose-reference.md) and one sentence. */
interface LabelText {
  /** 0: none of the thirteen rows. */
  readonly row: number;
  readonly text: string;
}

/** Every verdict of a diagnosis. The sentences address the user who tries to decrypt. */
export const LABELS = {
  'decrypts-plainly': {
    row: 0,
    text: 'Nothing is wrong: the payload decrypts as its format specifies.',
  },
  'variant-data': {
    row: 1,
    text: 'The key is the data encryption variant with self-encryption: XOR both halves with 0000000000FF0000, then encrypt each half under the masked key.',
  },
  'variant-data-plain': {
    row: 1,
    text: 'The key is the data encryption variant without self-encryption: XOR both halves with 0000000000FF0000 and nothing more (X9.24-1:2004 style).',
  },
  'variant-pin': {
    row: 1,
    text: 'The data is encrypted under the PIN variant: XOR both halves with 00000000000000FF, no self-encryption.',
  },
  'variant-mac': {row: 1, text: 'The data is encrypted under the MAC variant of the key.'},
  'variant-response': {row: 1, text: 'The data is encrypted under a response variant of the key.'},
  'variant-none': {
    row: 1,
    text: 'The data is encrypted under the transaction key itself, without a variant mask.',
  },
  'wrong-variant': {
    row: 1,
    text: 'The data uses a different variant from the one requested or specified by the format.',
  },
  'ksn-padded': {
    row: 2,
    text: 'The KSN was too short: its leading bytes were dropped. Left-pad it to full length.',
  },
  'ksn-filler': {row: 2, text: 'The KSN was padded with the wrong value, or on the wrong side.'},
  'ksn-digit-missing': {row: 2, text: 'A hex digit is missing from the KSN.'},
  'ksn-mistyped': {
    row: 2,
    text: 'The KSN is mistyped: one hex digit is wrong or extra, or two adjacent digits are transposed.',
  },
  'ksn-decimal-counter': {
    row: 2,
    text: 'The KSN counter was written in decimal; it must be hexadecimal.',
  },
  'ksn-embedded': {row: 2, text: 'The KSN is embedded in a longer string of digits.'},
  'ksn-reversed': {row: 2, text: 'The KSN bytes are in reverse order.'},
  'ksn-counter-bits': {
    row: 2,
    text: 'The counter has more than ten bits set (AES: sixteen): no conforming terminal sends this KSN, and some libraries derive a different key for it.',
  },
  'ksn-counter-zero': {
    row: 2,
    text: "The counter is 0: this is a device's initial KSN, which no transaction uses.",
  },
  'ksn-initial': {
    row: 2,
    text: 'The supplied KSN is the initial KSN of the device (counter 0 or all F): the read has its own counter, which the terminal sends with it.',
  },
  'ksn-many-bits': {
    row: 2,
    text: 'The counter has several bits set: a library that handles only one set bit derives a wrong key.',
  },
  'ksn-malformed': {row: 2, text: 'The KSN has an invalid length.'},
  'ksn-missing': {row: 2, text: 'No KSN was given and none was found: DUKPT requires one.'},
  'whole-frame': {
    row: 3,
    text: 'The input is the whole frame, not just ciphertext: decrypt only its encrypted fields.',
  },
  'wrong-slice': {row: 3, text: 'The ciphertext was extracted at the wrong offset or length.'},
  'bytes-around': {
    row: 3,
    text: 'The payload is surrounded by other bytes: a length or header before it, a checksum or status after it.',
  },
  'part-missing': {
    row: 3,
    text: 'Only part of the data decrypts: the rest is truncated, damaged, or encrypted under another key.',
  },
  'masked-part': {
    row: 3,
    text: 'A masked field was used as ciphertext: asterisks (2A) and mask digits cannot be decrypted.',
  },
  'chain-restart': {
    row: 3,
    text: 'Several ciphertexts were concatenated: CBC chaining restarts at each track.',
  },
  'chain-runs-on': {
    row: 3,
    text: 'The ciphertexts are one: CBC chaining continues from each track to the next, and only the plaintext shows where a track ends.',
  },
  'frame-lost-character': {row: 3, text: 'Characters were lost from the frame in transit.'},
  'frame-added-character': {row: 3, text: 'The frame contains an extra character.'},
  'digits-missing': {
    row: 3,
    text: 'Hex digits were replaced by letters, asterisks or dots and are lost: after such a gap, CBC decryption resumes one block later.',
  },
  'data-damaged': {row: 3, text: 'Part of the ciphertext is damaged.'},
  'key-is-bdk': {row: 4, text: 'The key is the base derivation key (BDK).'},
  'key-is-ik': {
    row: 4,
    text: 'The key is the initial key (IK, IPEK) of the device, not the kind it was given as.',
  },
  'key-is-transaction-key': {
    row: 4,
    text: 'The key is the transaction key of this read: apply only the variant mask.',
  },
  'key-is-working-key': {
    row: 4,
    text: 'The key is the working key itself: use it without derivation.',
  },
  'key-mistyped': {
    row: 4,
    text: 'The key is mistyped: one or two hex digits are wrong, or two adjacent digits or bytes are transposed.',
  },
  'key-digit-count': {row: 4, text: 'The key is one hex digit too short or too long.'},
  'key-parity': {
    row: 4,
    text: "The key's parity bits were changed: DUKPT uses all key bits, so every derived key differs although the KCV is the same.",
  },
  'key-halves': {row: 4, text: 'The key halves are swapped or were supplied separately.'},
  'key-of-other-read': {
    row: 4,
    text: 'The supplied key belongs to another read of the device.',
  },
  'key-wrong': {
    row: 4,
    text: 'The supplied key is not used by this read: a different key decrypts it.',
  },
  'no-key': {
    row: 5,
    text: 'No key is available for this KSN. Check the KSN digit by digit, then ask the vendor for the key or for demo keys.',
  },
  'test-key': {
    row: 5,
    text: 'The read is encrypted under a published test key: no private key is needed.',
  },
  'components-combined': {row: 5, text: 'The key is the XOR of the components.'},
  'component-missing': {
    row: 5,
    text: 'This is one key component: XOR all components to get the key.',
  },
  'mode-ecb': {row: 6, text: 'The data is encrypted in ECB mode, not CBC.'},
  'mode-cbc': {row: 6, text: 'The data is encrypted in CBC mode.'},
  'mode-unproven': {
    row: 6,
    text: 'Only the first block is proven: CBC with a zero IV and ECB decrypt it alike, so the mode is unknown.',
  },
  'iv-hidden': {row: 6, text: 'The IV is non-zero and is part of the payload.'},
  'iv-given': {row: 6, text: 'The IV is the supplied one.'},
  'iv-missing': {
    row: 6,
    text: 'Only the first block is wrong: key and mode are correct, the IV is missing.',
  },
  'iv-not-used': {row: 6, text: 'The supplied IV is not used: this data uses a zero IV.'},
  'packing-4bit': {
    row: 7,
    text: 'The plaintext is packed: each nibble is one character (B is ;, D is =, F is ?).',
  },
  'packing-6bit': {
    row: 7,
    text: 'The plaintext is packed: each 6-bit value plus hex 20 is one character.',
  },
  'packing-bcd': {row: 7, text: 'The plaintext is packed BCD: D is the separator, F the padding.'},
  'packing-tlv': {row: 7, text: 'The plaintext is a TLV list, not a track.'},
  'packing-text': {row: 7, text: 'The plaintext is text, but not a track.'},
  'padding-counted': {
    row: 7,
    text: 'The data ends with padding (PKCS#7, ISO 7816-4 or X9.23): remove it.',
  },
  'bytes-in-front': {
    row: 7,
    text: 'Zeros or a length precede the track: remove them.',
  },
  'no-sentinels': {row: 7, text: 'The track has no sentinels (% ; ?).'},
  'hand-keyed': {
    row: 7,
    text: 'The card was keyed manually: this is not magnetic stripe track data.',
  },
  'not-card-data': {row: 7, text: 'The key is correct, but the plaintext is not card data.'},
  'pin-block': {
    row: 8,
    text: 'This is a PIN block: one block under the PIN variant, XORed with the PAN field.',
  },
  'pin-pan-digits': {
    row: 8,
    text: 'The PIN block was built with the wrong PAN digits: ISO 9564 uses the rightmost 12, excluding the check digit.',
  },
  'pin-no-pan': {row: 8, text: 'The PIN block was built without a PAN: the PAN field is zero.'},
  'pin-format-1': {row: 8, text: 'This is an ISO 9564 format 1 PIN block, which has no PAN field.'},
  'pin-format-3': {row: 8, text: 'This is an ISO 9564 format 3 PIN block.'},
  'pin-format-4': {
    row: 8,
    text: 'This is an ISO 9564 format 4 PIN block: AES, 16 bytes, encrypted twice with the PAN block in between.',
  },
  'pin-transaction-key': {
    row: 8,
    text: 'The PIN block is encrypted under a key other than the PIN variant.',
  },
  'pin-pan-needed': {
    row: 8,
    text: 'This may be a PIN block: it cannot be confirmed without the PAN.',
  },
  'frame-intact': {row: 9, text: 'Length, LRC and checksums of the frame are correct.'},
  'frame-damaged': {
    row: 9,
    text: 'The frame is damaged: a gateway will reject it as it is.',
  },
  'frame-cut': {row: 9, text: 'The frame is truncated: a gateway will reject it.'},
  'frame-lower-case': {
    row: 9,
    text: 'Keyboard-emulation text was converted to lower case: LRC and checksum cover the characters as sent.',
  },
  'keyboard-layout': {
    row: 10,
    text: 'The reader typed as a US keyboard, but the computer uses another layout: choose the US layout there, set the country of the reader, or disable its keyboard mode.',
  },
  'hex-of-hex': {row: 10, text: 'Hex text was hex-encoded a second time.'},
  'hex-as-text': {
    row: 10,
    text: 'A key was derived from the ASCII of its hex digits instead of the bytes they encode.',
  },
  'padding-in-derivation': {
    row: 10,
    text: 'Padding was added inside the key derivation: DUKPT encrypts whole blocks in ECB mode without padding.',
  },
  'look-alikes': {
    row: 10,
    text: 'Letters were typed in place of similar digits: O for 0, I or l for 1.',
  },
  base64: {row: 10, text: 'The data is base64: decode it before anything else.'},
  'white-space': {
    row: 10,
    text: 'There are spaces, line breaks or separators between the hex digits: remove them.',
  },
  'odd-hex': {row: 10, text: 'The number of hex digits is odd: a digit was lost.'},
  'text-around': {row: 10, text: 'The payload is surrounded by other text.'},
  'several-payloads': {
    row: 10,
    text: 'The text holds several payloads, and only one of them was decrypted.',
  },
  'text-encoding': {
    row: 10,
    text: 'Binary data was changed by a text encoding.',
  },
  'text-escaped': {row: 10, text: 'The text is escaped (URL, JSON, C): unescape it first.'},
  'ksn-neighbour': {row: 11, text: 'The KSN belongs to another read from the same device.'},
  'ksn-swapped': {
    row: 11,
    text: 'The KSN belongs to another key of the device: track, EMV and PIN data each have their own.',
  },
  'ksn-of-message': {
    row: 11,
    text: 'A different KSN of the same message belongs to this ciphertext.',
  },
  'cvv2-not-on-stripe': {
    row: 12,
    text: 'The CVV2 printed on the card is neither on the magnetic stripe nor in the chip: it cannot be found here.',
  },
  'aes-dukpt': {row: 13, text: 'This is AES DUKPT (X9.24-3): the KSN is 12 bytes long.'},
  'aes-compatibility': {
    row: 13,
    text: 'This is AES DUKPT with a 10-byte KSN (KSN compatibility mode of X9.24-3).',
  },
  'aes-under-tdes': {
    row: 13,
    text: 'The data is encrypted with AES-128 under the 16 bytes of the TDES DUKPT key.',
  },
  'clear-data': {row: 0, text: 'The card data is in cleartext: there is nothing to decrypt.'},
  'other-data': {
    row: 0,
    text: 'This may not be terminal ciphertext at all.',
  },
  'one-block': {
    row: 0,
    text: 'Only the card number is encrypted, in one block under a working key, without DUKPT and KSN: too little for a search to prove a key.',
  },
  'closed-scheme': {
    row: 0,
    text: 'The data is encrypted with a scheme that is not public or not DUKPT.',
  },
  'length-impossible': {
    row: 3,
    text: 'The length is not a multiple of the cipher block size: data is missing or extra.',
  },
  'wrong-key': {row: 4, text: 'None of the keys decrypts the data.'},
  'masked-copy-differs': {
    row: 0,
    text: 'The data decrypts, but something contradicts the result: a masked copy, a hash, another card or date, or data beside the card data.',
  },
  'expected-differs': {
    row: 0,
    text: 'The data decrypts, but not to the expected plaintext.',
  },
  'out-of-time': {row: 0, text: 'The time limit was reached before everything was tried.'},
} as const satisfies Readonly<Record<string, LabelText>>;

/** A closed set: scripts may rely on each of these labels. */
export type Label = keyof typeof LABELS;
