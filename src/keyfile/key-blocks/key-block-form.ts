/** A key as a key block (TR-31, ANSI X9.143) in JSON, with what the block does not say. */
export interface KeyBlockForm {
  readonly name?: string | undefined;
  readonly keyBlock: string;
  /** In place of the one in the block. */
  readonly ksnPrefix?: string | undefined;
  readonly compatibility?: boolean | undefined;
  /** The name of the key block protection key; absent: the one that is asked for. */
  readonly kbpk?: string | undefined;
}
