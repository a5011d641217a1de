/** Looks up a name from a payload in a table, own properties only: `constructor` is never found. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
