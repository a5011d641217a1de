let held = 0;

/** Runs work that keeps a thread of Node's pool busy until it is done, such as deriving a key. */
export async function holdingThread<T>(work: () => Promise<T>): Promise<T> {
  held += 1;
  try {
    return await work();
  } finally {
    held -= 1;
  }
}

/**
 * Whether a thread of Node's pool may be busy, for seconds or for good: deriving a key, opening a
 * pipe that nobody writes to, asking for the address of a host. An exit waits for it.
 */
export function isThreadHeld(): boolean {
  return held > 0 || process.getActiveResourcesInfo().some((name) => HOLDING.test(name));
}

const HOLDING = /^(?:FSReq|GetAddrInfo|GetNameInfo)/;
