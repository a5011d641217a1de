import type {RequestDetail} from '../../contract/control/inspected-request.js';
import type {RequestStore, Row} from './request-store.js';
import {clear, detailOf} from './server.js';

/** Of unpinned rows, the newest: the server forgets what came with all of them. */
const MOST = 100;
/** Asked for at a time. */
const AT_ONCE = 8;

const held = new Map<string, RequestDetail>();

/** What came with a request: from the server, or from here where it has forgotten it. */
export function knownDetailOf(id: string): Promise<RequestDetail> {
  const detail = held.get(id);
  return detail ? Promise.resolve(detail) : detailOf(id);
}

/** Clears the list, here and on the server; what may come back with `undo` is held here before. */
export async function clearHeld(store: RequestStore): Promise<void> {
  const rows = store.snapshot().rows.filter(({id, isBefore}) => !isBefore && !held.has(id));
  const pinned = rows.filter(({id}) => store.isPinned(id));
  const newest = rows.filter(({id}) => !store.isPinned(id)).slice(0, MOST);
  await hold([...pinned, ...newest]);
  await clear();
  store.clear();
}

/** Forgets what was held of rows that are not in the list any more. */
export function release(store: RequestStore): void {
  const shown = new Set(store.snapshot().rows.map(({id}) => id));
  for (const id of held.keys()) if (!shown.has(id)) held.delete(id);
}

async function hold(rows: readonly Row[]): Promise<void> {
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    const some = rows.slice(i, i + AT_ONCE).map(async ({id}) => {
      const detail = await detailOf(id).catch(() => undefined);
      if (detail) held.set(id, detail);
    });
    await Promise.all(some);
  }
}
