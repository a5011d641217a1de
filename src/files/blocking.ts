let running = 0;

/** Runs work that keeps a thread of Node's pool busy until it is done, such as deriving a key. */
export async function whileBlocking<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
  }
}

/**
 * Whether a thread of Node's pool may be busy, for seconds or forever: deriving a key, opening a
 * pipe without a writer, looking up the address of a host. An exit waits for it.
 */
export function isBlocking(): boolean {
  return running > 0 || process.getActiveResourcesInfo().some((name) => BLOCKING.test(name));
}

const BLOCKING = /^(?:FSReq|GetAddrInfo|GetNameInfo)/;
