import type {RequestDetail} from '../../contract/control/inspected-request.js';
import type {RequestStore, Row} from './request-store.js';
import {clear, detailOf} from './server.js';

/** The newest unpinned rows whose details are cached before the server forgets them. */
const MAX_UNPINNED = 100;
/** Requests to the server at the same time. */
const MAX_PARALLEL = 8;

const cache = new Map<string, RequestDetail>();

/** The details of a request: from the cache, else from the server. */
export function knownDetailOf(id: string): Promise<RequestDetail> {
  const detail = cache.get(id);
  return detail ? Promise.resolve(detail) : detailOf(id);
}

/** Clears the list, here and on the server, and first caches what `undo` may restore. */
export async function clearCache(store: RequestStore): Promise<void> {
  const shown = store.snapshot().rows;
  const rows = shown.filter(({id, isBefore}) => !isBefore && !cache.has(id));
  const pinned = rows.filter(({id}) => store.isPinned(id));
  const newest = rows.filter(({id}) => !store.isPinned(id)).slice(0, MAX_UNPINNED);
  await cacheDetails([...pinned, ...newest]);
  await clear();
  store.clear(shown);
}

/** Evicts the cached details of rows no longer in the list. */
export function evict(store: RequestStore): void {
  const shown = new Set(store.snapshot().rows.map(({id}) => id));
  for (const id of cache.keys()) if (!shown.has(id)) cache.delete(id);
}

async function cacheDetails(rows: readonly Row[]): Promise<void> {
  for (let i = 0; i < rows.length; i += MAX_PARALLEL) {
    const some = rows.slice(i, i + MAX_PARALLEL).map(async ({id}) => {
      const detail = await detailOf(id).catch(() => undefined);
      if (detail) cache.set(id, detail);
    });
    await Promise.all(some);
  }
}
