/** A track as the terminal encrypted it, and its canonical text. */
export interface Track {
  /** The plaintext with its track LRC, without cipher fill. */
  readonly bytes: Uint8Array;
  /** Start sentinel to end sentinel, sentinels added where the terminal leaves them out. */
  readonly text: string;
}

/** A track 2 equivalent (tag 57, BBPOS C8): packed BCD, `D` as separator. */
export interface Track2Equivalent {
  readonly bytes: Uint8Array;
}

/** What a cardholder or clerk keyed in, in the terminal's own text form. */
export interface KeyedEntry {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly pan: string;
  /** YYMM. */
  readonly expiry: string;
  readonly cvv?: string;
}

/** Everything that opened fields, and clear fields beside them, contribute to one response. */
export interface CardContent {
  readonly track1?: Track;
  readonly track2?: Track;
  readonly track3?: Track;
  /** Decrypted TLV lists in payload order, each without fill. */
  readonly tlv?: readonly Uint8Array[];
  readonly track2equivalent?: Track2Equivalent;
  readonly keyed?: KeyedEntry;
  /** `SURNAME/FIRST` from a field of its own. */
  readonly name?: string;
  /** YYMM from a clear field beside an encrypted PAN. */
  readonly expiry?: string;
  readonly street?: string;
  readonly zip?: string;
  /** The serial number, where it stands inside the ciphertext. */
  readonly serial?: string;
}
