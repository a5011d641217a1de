/** What `read` gives; undefined when it refuses the plaintext. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
