/**
 * How sure a read is. `published-plaintext`: its source shows the plaintext, too. `embedded-hash`:
 * the payload holds a hash of the plaintext. `structure`: the plaintext is card data in every part.
 * `frame-only`: its key is not published, and only the form of the payload is known.
 */
export type ReadEvidence = 'published-plaintext' | 'embedded-hash' | 'structure' | 'frame-only';

/** A published key that a read is encrypted under. */
export interface ReadKey {
  /** A base derivation key, or the initial key (IPEK) of the device. */
  readonly kind: 'bdk' | 'ik';
  /** Upper-case hex. */
  readonly hex: string;
  /** Upper-case hex: the KSNs that it serves begin like this. */
  readonly ksnPrefix?: string;
}

/** An encrypted field of a read with its plaintext: a test vector of DUKPT without any framing. */
export interface ReadField {
  /** `track 1`, `TLV data`. */
  readonly name: string;
  /** Upper-case hex: 20 digits for TDES DUKPT, 24 for AES DUKPT. */
  readonly ksn: string;
  readonly scheme: 'tdes' | 'aes';
  /** TDES DUKPT: the variant of the transaction key (ANSI X9.24-1:2009, annex A.4.1). */
  readonly variant?: string;
  /** TDES DUKPT: whether the variant was then encrypted under itself (ibid.). */
  readonly selfEncrypted?: boolean;
  /** AES DUKPT: the key usage of the working key (ANSI X9.24-3:2017, 6.3.3). */
  readonly usage?: string;
  /** The cipher that the derived key is used with: AES-128 also under TDES DUKPT. */
  readonly cipher: 'tdes' | 'aes';
  readonly mode: 'cbc' | 'ecb';
  /** Upper-case hex, one cipher block; only for CBC. */
  readonly iv?: string;
  /** Upper-case hex, whole blocks. */
  readonly ciphertext: string;
  /** Upper-case hex, as long as the ciphertext: padding is part of it. */
  readonly plaintext: string;
}

/** A published payload, and its expected result. */
export interface PublishedRead {
  /** Unique, and never given to another read. */
  readonly id: string;
  readonly title: string;
  /** Where it was published: addresses separated by spaces, or `public source code`. */
  readonly source: string;
  readonly evidence: ReadEvidence;
  /** The page in this package that says how the read was checked. */
  readonly page: string;
  readonly deviceType: string;
  /** As the terminal sent it: hex or text; binary as one character per byte. */
  readonly devicePayload: string;
  /** What the payload does not hold itself, in hex. */
  readonly ksn?: string;
  readonly iv?: string;
  readonly deviceSerial?: string;
  readonly keys: readonly ReadKey[];
  /** Members that the process-payload response must have, others are free; or the code of the error. */
  readonly expect: {readonly response?: object; readonly errCode?: number};
  /** Of reads that decrypt. */
  readonly fields?: readonly ReadField[];
}

/** The reads with their version: `docs/samples/published-reads.json` of this package, too. */
export interface PublishedReads {
  /**
   * By semantic versioning: a major version when members change or reads go, a minor one when reads
   * come, a patch when one is corrected.
   */
  readonly version: string;
  readonly reads: readonly PublishedRead[];
}
