import {bytesFromUtf8} from '../../platform/bytes.js';

/** One way to do a step of signing; the right one has no `mistake`. */
export interface Variant<T> {
  readonly mistake?: string;
  readonly value: T;
}

/** A mistake, and what the step gives with it. */
export type MistakeRow<T> = readonly [mistake: string, ...values: T[]];

/** The variants of a table of mistakes. */
export function variantsOf<T>(rows: readonly MistakeRow<T>[]): readonly Variant<T>[] {
  return rows.flatMap(([mistake, ...values]) => values.map((value) => ({mistake, value})));
}

/** The same as bytes, of texts as UTF-8. */
export function byteVariants(
  rows: readonly MistakeRow<string | Uint8Array>[],
): readonly Variant<Uint8Array>[] {
  return variantsOf(rows).map(({mistake = '', value}) => ({
    mistake,
    value: typeof value === 'string' ? bytesFromUtf8(value) : value,
  }));
}
