/** What a label says: the row of the usual mistakes (docs/diagnose.md) and one sentence. */
interface LabelText {
  /** 0: none of the thirteen rows. */
  readonly row: number;
  readonly text: string;
}

/** Every verdict that a diagnosis can give. The sentences speak to who tries to decrypt. */
export const LABELS = {
  'decrypts-plainly': {row: 0, text: 'Nothing is wrong: the payload opens as its format says.'},
  'variant-data': {
    row: 1,
    text: 'The key is the data variant, encrypted under itself: mask 0000000000FF0000 on both halves, then each half is enciphered under the masked key.',
  },
  'variant-data-plain': {
    row: 1,
    text: 'The key is the data variant without self-encryption: mask 0000000000FF0000 on both halves and nothing more (X9.24-1:2004 style).',
  },
  'variant-pin': {
    row: 1,
    text: 'The data is under the PIN variant: mask 00000000000000FF on both halves, no self-encryption.',
  },
  'variant-mac': {row: 1, text: 'The data is under the MAC variant of the key.'},
  'variant-response': {row: 1, text: 'The data is under a response variant of the key.'},
  'variant-none': {
    row: 1,
    text: 'The data is under the transaction key itself, without any variant mask.',
  },
  'wrong-variant': {
    row: 1,
    text: 'Another variant opens it than the one that was asked for, or that the format says.',
  },
  'ksn-padded': {
    row: 2,
    text: 'The KSN was too short: the bytes that the sender left out belong in front of it.',
  },
  'ksn-filler': {row: 2, text: 'The KSN was filled up with the wrong bytes, or at the wrong end.'},
  'ksn-digit-missing': {row: 2, text: 'The KSN lost a hex digit.'},
  'ksn-mistyped': {
    row: 2,
    text: 'The KSN is mistyped: one hex digit is wrong or too much, or two neighbours are swapped.',
  },
  'ksn-decimal-counter': {
    row: 2,
    text: 'The counter of the KSN was written in decimal: its digits are hexadecimal.',
  },
  'ksn-embedded': {row: 2, text: 'The KSN stands inside a longer run of digits.'},
  'ksn-reversed': {row: 2, text: 'The bytes of the KSN stand in reverse order.'},
  'ksn-counter-bits': {
    row: 2,
    text: 'The counter has more than ten bits set (AES: sixteen): no conforming terminal sends this KSN, and some libraries derive another key for it.',
  },
  'ksn-counter-zero': {
    row: 2,
    text: 'The counter is 0: this is the initial KSN of a device, which no transaction has.',
  },
  'ksn-initial': {
    row: 2,
    text: 'The KSN that was given is the initial one of the device, its counter 0 or all F: the read has a counter of its own, which the terminal sends with it.',
  },
  'ksn-many-bits': {
    row: 2,
    text: 'The counter has several bits set: a library that handles only one of them derives a wrong key.',
  },
  'ksn-malformed': {row: 2, text: 'The KSN has a length that no KSN has.'},
  'ksn-missing': {row: 2, text: 'No KSN was given, and none was found: DUKPT needs it.'},
  'whole-frame': {
    row: 3,
    text: 'What was given as ciphertext is the whole frame: only the encrypted fields in it may be decrypted.',
  },
  'wrong-slice': {row: 3, text: 'The ciphertext was cut at the wrong place.'},
  'bytes-around': {
    row: 3,
    text: 'Other bytes stand around the payload: a length or header in front, a checksum or status behind.',
  },
  'part-missing': {
    row: 3,
    text: 'Only a part opens: the rest is cut off, damaged, or under another key.',
  },
  'masked-part': {
    row: 3,
    text: 'A masked copy was taken for ciphertext: its stars (2A) or mask digits cannot be decrypted.',
  },
  'chain-restart': {
    row: 3,
    text: 'Several ciphertexts were put together: the CBC chain begins anew for each track.',
  },
  'chain-runs-on': {
    row: 3,
    text: 'The ciphertexts are one: the CBC chain runs on from each track to the next, and only the plaintext says where a track ends.',
  },
  'frame-lost-character': {row: 3, text: 'The frame lost characters on its way.'},
  'frame-added-character': {row: 3, text: 'The frame has a character too many.'},
  'digits-missing': {
    row: 3,
    text: 'Letters, stars or dots stand in place of hex digits, which are lost: behind such a gap CBC goes on a block later.',
  },
  'data-damaged': {row: 3, text: 'Part of the ciphertext is damaged.'},
  'key-is-bdk': {row: 4, text: 'The key is the base derivation key (BDK).'},
  'key-is-ik': {
    row: 4,
    text: 'The key is the initial key (IK, IPEK) of the device, not what it was given as.',
  },
  'key-is-transaction-key': {
    row: 4,
    text: 'The key is the transaction key of this read: only the variant mask is to be applied.',
  },
  'key-is-working-key': {
    row: 4,
    text: 'The key is the working key itself: nothing is to be derived from it.',
  },
  'key-mistyped': {
    row: 4,
    text: 'The key is mistyped: one or two hex digits are wrong, or two neighbours are swapped.',
  },
  'key-digit-count': {row: 4, text: 'The key has a hex digit too few or too many.'},
  'key-parity': {
    row: 4,
    text: 'The parity bits of the key were changed: DUKPT uses them as data, so every later key changes while the KCV stays.',
  },
  'key-halves': {row: 4, text: 'The halves of the key stand in the wrong order, or apart.'},
  'key-of-other-read': {
    row: 4,
    text: 'The key that was given belongs to another read of the device.',
  },
  'key-wrong': {
    row: 4,
    text: 'The key that was given has no part in this read: another one opens it.',
  },
  'no-key': {
    row: 5,
    text: 'There is no key for it, and none can be guessed: compare the KSN digit by digit, then ask the vendor for the key, or for demo keys.',
  },
  'test-key': {row: 5, text: 'The read is under a published test key: no private key is needed.'},
  'components-combined': {row: 5, text: 'The key is the XOR of the components.'},
  'component-missing': {
    row: 5,
    text: 'A component is no key: all components of it are needed, and XORed they are the key.',
  },
  'mode-ecb': {row: 6, text: 'The data is encrypted in ECB mode, not CBC.'},
  'mode-cbc': {row: 6, text: 'The data is encrypted in CBC mode.'},
  'iv-hidden': {row: 6, text: 'The IV is not zero: it stands in the payload.'},
  'iv-given': {row: 6, text: 'The IV is the one that was given.'},
  'iv-missing': {
    row: 6,
    text: 'Only the first block is wrong: key and mode are right, the IV is missing.',
  },
  'iv-not-used': {row: 6, text: 'The IV that was given is not used: it is zero.'},
  'packing-4bit': {
    row: 7,
    text: 'The plaintext is packed: every nibble is a character (B ; D = F ?).',
  },
  'packing-6bit': {
    row: 7,
    text: 'The plaintext is packed: every six bits are a character, 20 hex to be added.',
  },
  'packing-bcd': {row: 7, text: 'The plaintext is packed digits: D is the separator, F the fill.'},
  'packing-tlv': {row: 7, text: 'The plaintext is a TLV list, not a track.'},
  'packing-text': {row: 7, text: 'The plaintext is text, but no track.'},
  'padding-counted': {
    row: 7,
    text: 'What stands behind the data is padding (PKCS#7, ISO 7816-4 or X9.23): take it off.',
  },
  'bytes-in-front': {
    row: 7,
    text: 'Zeros or a length stand in front of the track: take them off.',
  },
  'no-sentinels': {row: 7, text: 'The track comes without its sentinels (% ; ?).'},
  'hand-keyed': {row: 7, text: 'The card was keyed in by hand: the data is no track of a stripe.'},
  'not-card-data': {row: 7, text: 'The key is right, but the plaintext is no card data.'},
  'pin-block': {
    row: 8,
    text: 'It is a PIN block: one block under the PIN variant, XORed with the PAN field.',
  },
  'pin-pan-digits': {
    row: 8,
    text: 'The PIN block was made with other digits of the PAN than ISO 9564 says: the 12 before the check digit.',
  },
  'pin-no-pan': {row: 8, text: 'The PIN block was made without a PAN: the PAN field is zero.'},
  'pin-format-1': {row: 8, text: 'It is a PIN block of ISO format 1, which has no PAN field.'},
  'pin-format-3': {row: 8, text: 'It is a PIN block of ISO format 3.'},
  'pin-format-4': {
    row: 8,
    text: 'It is a PIN block of ISO format 4: AES, 16 bytes, enciphered twice around the PAN field.',
  },
  'pin-transaction-key': {
    row: 8,
    text: 'The PIN block is under another key than the PIN variant.',
  },
  'pin-pan-needed': {
    row: 8,
    text: 'It may be a PIN block: without the PAN nothing can be proven.',
  },
  'frame-intact': {row: 9, text: 'Length, LRC and checksums of the frame are right.'},
  'frame-damaged': {
    row: 9,
    text: 'The frame is damaged: a gateway refuses it as it is.',
  },
  'frame-cut': {row: 9, text: 'The frame ends too early: a gateway refuses it.'},
  'frame-lower-case': {
    row: 9,
    text: 'Keyboard text was brought to lower case: its LRC and checksum run over the characters as sent.',
  },
  'keyboard-layout': {
    row: 10,
    text: 'The reader typed as a US keyboard, but the computer has another layout: choose the US layout there, set the country of the reader, or take it off keyboard mode.',
  },
  'hex-of-hex': {row: 10, text: 'Hex text was taken for bytes and written in hex once more.'},
  'hex-as-text': {
    row: 10,
    text: 'A key was derived with hex digits taken as text, where their bytes are meant.',
  },
  'padding-in-derivation': {
    row: 10,
    text: 'A key was derived with PKCS#7 padding inside: derivation is ECB of whole blocks without padding.',
  },
  'look-alikes': {
    row: 10,
    text: 'Letters stand in place of digits that look alike: O for 0, I or l for 1.',
  },
  base64: {row: 10, text: 'The data is base64: decode it before anything else.'},
  'white-space': {
    row: 10,
    text: 'Blanks, line ends or separators stand between the hex digits: take them out.',
  },
  'odd-hex': {row: 10, text: 'The number of hex digits is odd: one was lost.'},
  'text-around': {row: 10, text: 'Other text stands around the payload.'},
  'text-encoding': {
    row: 10,
    text: 'Binary data went through a text encoding and was changed there.',
  },
  'text-escaped': {row: 10, text: 'The text is escaped (URL, JSON, C): undo that first.'},
  'ksn-neighbour': {row: 11, text: 'The KSN is that of another read of the same device.'},
  'ksn-swapped': {
    row: 11,
    text: 'The KSN is that of another key of the device: track, EMV and PIN have one each.',
  },
  'ksn-of-message': {row: 11, text: 'Another KSN of the same message belongs to this ciphertext.'},
  'cvv2-not-on-stripe': {
    row: 12,
    text: 'The CVV2 printed on the card is neither on the stripe nor in the chip: it cannot be found here.',
  },
  'aes-dukpt': {row: 13, text: 'It is AES DUKPT (X9.24-3), which a KSN of 12 bytes tells.'},
  'aes-compatibility': {
    row: 13,
    text: 'It is AES DUKPT under a KSN of 10 bytes (KSN compatibility mode of X9.24-3).',
  },
  'aes-under-tdes': {
    row: 13,
    text: 'The data is AES-128, under the 16 bytes of the TDES DUKPT key.',
  },
  'clear-data': {row: 0, text: 'The card data is in clear: there is nothing to decrypt.'},
  'other-data': {
    row: 0,
    text: 'It may be no ciphertext of a terminal at all.',
  },
  'closed-scheme': {row: 0, text: 'The data is under a scheme that is not public or not DUKPT.'},
  'length-impossible': {
    row: 3,
    text: 'The length is no whole number of cipher blocks: something is missing or too much.',
  },
  'wrong-key': {row: 4, text: 'None of the keys opens it.'},
  'masked-copy-differs': {
    row: 0,
    text: 'It opens, but something contradicts it: a masked copy, a hash, another card or date, or more than the card data.',
  },
  'expected-differs': {
    row: 0,
    text: 'It opens, but to something else than the plaintext that was expected.',
  },
  'out-of-time': {row: 0, text: 'The time was over before everything was tried.'},
} as const satisfies Readonly<Record<string, LabelText>>;

/** A closed set: scripts may rely on every one of them. */
export type Label = keyof typeof LABELS;
