import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {oneLine} from '../model/shown.js';
import {Top} from '../parts/top.js';
import {Detail} from './detail.js';
import {clearCache} from './detail-cache.js';
import {QueueLine} from './queue-line.js';
import {RequestGrid} from './request-grid.js';
import {RequestStore, type Row, type Snapshot} from './request-store.js';
import {rowFilter} from './row-filter.js';
import {SaveMenu} from './save-menu.js';
import {type Attempt, follow, signIn} from './server.js';
import {UndoLine} from './undo-line.js';

/** The inspector: filter, list, detail, queued answers. */
export function Inspector() {
  const store = useMemo(() => new RequestStore(), []);
  const snapshot = useSnapshot(store);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<Row>();
  const [reveal, setReveal] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => void start(store, setError), [store]);
  useRegionKeys();
  const rows = useMemo(() => wantedRows(snapshot, store, filter), [snapshot, filter, store]);
  const selected = chosen && (snapshot.rows.find(({id}) => id === chosen.id) ?? chosen);
  const isReal = snapshot.handshake?.mode === 'real';
  const isOff = snapshot.connection.kind !== 'live';
  const tried: Attempt = (work) => {
    setError(undefined);
    return work.catch((failure: Error) => setError(oneLine(failure.message)));
  };
  const onBack = () => setChosen(undefined);
  return (
    <>
      <Top
        note={modeText(snapshot)}
        {...{reveal}}
        unavailable={isReal ? 'Real mode keeps no card numbers' : undefined}
        onReveal={setReveal}
      >
        <a href="/" aria-current="page">
          Requests
        </a>
        <a href="/explore">Explorer</a>
      </Top>
      <main class={`requests${selected ? ' chosen' : ''}${reveal ? ' shown' : ''}`}>
        <FilterBar {...{store, snapshot, rows, filter, setFilter, isOff, tried}} onClear={onBack} />
        <UndoLine {...{store}} undoable={snapshot.undoable} />
        <Alert {...{snapshot, error}} />
        <div class="panes">
          <RequestGrid
            {...{rows, store, snapshot, filter}}
            selected={selected?.id}
            onSelect={setChosen}
            onReset={() => setFilter('')}
          />
          <section class="pane detail" aria-label="Details" data-region tabIndex={-1}>
            {selected && (
              <Detail
                key={selected.id}
                {...{isReal, isOff, reveal, tried, onBack}}
                row={selected}
              />
            )}
            {!selected && snapshot.rows.length > 0 && (
              <p class="hint quiet">Choose a request to see everything about it.</p>
            )}
          </section>
        </div>
        <QueueLine {...{snapshot, isOff, isReal, tried}} />
      </main>
    </>
  );
}

/** The rows that match the filter, the pinned ones first. */
function wantedRows({rows}: Snapshot, store: RequestStore, filter: string): readonly Row[] {
  const wanted = rows.filter(rowFilter(filter));
  const isPinned = ({id}: Row) => store.isPinned(id);
  return [...wanted.filter(isPinned), ...wanted.filter((row) => !isPinned(row))];
}

interface FilterProps {
  readonly store: RequestStore;
  readonly snapshot: Snapshot;
  readonly rows: readonly Row[];
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly isOff: boolean;
  readonly tried: Attempt;
  readonly onClear: () => void;
}

function FilterBar(props: FilterProps) {
  const {store, snapshot, rows, filter, setFilter, isOff, tried, onClear} = props;
  const {handshake, isPaused} = snapshot;
  const clear = () => {
    onClear();
    void tried(clearCache(store));
  };
  return (
    <search class="filter" data-region tabIndex={-1}>
      <input
        class="field"
        type="search"
        aria-label="Search requests"
        placeholder="Filter: 401, order-10, errCode:2601 …"
        value={filter}
        spellcheck={false}
        autocomplete="off"
        onInput={({currentTarget}) => setFilter(currentTarget.value)}
      />
      <span class="quiet kept">{keptText(snapshot, rows.length, filter)}</span>
      <SaveMenu {...{rows, handshake, tried}} />
      <button
        type="button"
        aria-pressed={isPaused}
        class={isPaused ? 'filled' : ''}
        onClick={() => store.pause(!isPaused)}
      >
        Pause
      </button>
      <button
        type="button"
        class="plain"
        disabled={isOff || snapshot.rows.length === 0}
        onClick={clear}
      >
        Clear
      </button>
    </search>
  );
}

async function start(store: RequestStore, fail: (text: string) => void): Promise<void> {
  try {
    await signIn();
  } catch (failure) {
    fail((failure as Error).message);
  }
  await follow(store);
}

/** The state of the store, painted at most once a frame, and only while the page is visible. */
function useSnapshot(store: RequestStore): Snapshot {
  const [snapshot, setSnapshot] = useState(() => store.snapshot());
  const frame = useRef(0);
  useEffect(() => {
    const paint = () => {
      frame.current = 0;
      setSnapshot(store.snapshot());
    };
    const soon = () => {
      if (frame.current === 0 && !document.hidden) frame.current = requestAnimationFrame(paint);
    };
    document.addEventListener('visibilitychange', soon);
    const stop = store.listen(soon);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', soon);
      cancelAnimationFrame(frame.current);
    };
  }, [store]);
  return snapshot;
}

/** F6 and Shift+F6 go from region to region, as in other programs. */
function useRegionKeys(): void {
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key !== 'F6') return;
      event.preventDefault();
      const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
        (region) => region.offsetParent !== null,
      );
      const here = regions.findIndex((region) => region.contains(document.activeElement));
      const next = regions.at((here + (event.shiftKey ? -1 : 1)) % regions.length);
      (next?.querySelector<HTMLElement>('[data-entry]') ?? next)?.focus();
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, []);
}

const MODES = {
  demo: 'demo · published keys',
  mock: 'mock · no keys',
  real: 'real · no card numbers',
} as const;

function modeText({handshake}: Snapshot): string {
  return handshake ? `${MODES[handshake.mode]} · ${location.host}` : location.host;
}

function keptText(
  {rows, handshake, isPaused, fresh}: Snapshot,
  found: number,
  filter: string,
): string {
  if (isPaused)
    return `Paused: ${fresh.toLocaleString('en')} new ${fresh === 1 ? 'request' : 'requests'}`;
  if (filter.trim() !== '')
    return `${found.toLocaleString('en')} of ${rows.length.toLocaleString('en')}`;
  return handshake
    ? `${rows.length.toLocaleString('en')} of ${handshake.kept.toLocaleString('en')} kept`
    : '';
}

interface AlertProps {
  readonly snapshot: Snapshot;
  readonly error: string | undefined;
}

function Alert({snapshot, error}: AlertProps) {
  const isUnknown = snapshot.connection.kind === 'no-token';
  return (
    <div role="alert" class="band">
      {isUnknown && (
        <p class="lead bad">
          Open the address that <code>paylens serve</code> printed: this page needs its token.
        </p>
      )}
      {!isUnknown && snapshot.isOlder && (
        <p class="lead bad">
          This page is older than the server.{' '}
          <button type="button" class="link" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
      {!isUnknown && !snapshot.isOlder && error !== undefined && <p class="bad">✗ {error}</p>}
    </div>
  );
}
