import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {oneLine} from '../model/shown.js';
import {Detail} from './detail.js';
import {clearHeld} from './held-details.js';
import {QueueLine} from './queue-line.js';
import {RequestGrid} from './request-grid.js';
import {RequestStore, type Row, type Snapshot} from './request-store.js';
import {rowFilter} from './row-filter.js';
import {SaveMenu} from './save-menu.js';
import {follow, signIn} from './server.js';
import {UndoLine} from './undo-line.js';

/** The inspector: filter, list, detail, queued answers. */
export function Inspector() {
  const store = useMemo(() => new RequestStore(), []);
  const snapshot = useStore(store);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<Row>();
  const [reveal, setReveal] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => void start(store, setError), [store]);
  useRegions();
  const rows = useMemo(() => {
    const isWanted = rowFilter(filter);
    const wanted = snapshot.rows.filter((row) => isWanted(row));
    const isPinned = ({id}: Row) => store.isPinned(id);
    return [...wanted.filter(isPinned), ...wanted.filter((row) => !isPinned(row))];
  }, [snapshot, filter, store]);
  const selected = chosen && (snapshot.rows.find(({id}) => id === chosen.id) ?? chosen);
  const {hello, connection} = snapshot;
  const isReal = hello?.mode === 'real';
  const isOff = connection.kind !== 'live';
  const tried = (work: Promise<unknown>) => {
    setError(undefined);
    return work.catch((failure: Error) => setError(oneLine(failure.message)));
  };
  return (
    <>
      <header class="top">
        <h1>paylens</h1>
        <nav class="views" aria-label="Views">
          <a href="/" aria-current="page">
            Requests
          </a>
          <a href="/explore">Explorer</a>
        </nav>
        <span class="note">{modeText(snapshot)}</span>
        <button
          type="button"
          class="switch"
          role="switch"
          aria-checked={reveal}
          disabled={isReal}
          title={
            isReal
              ? 'Real mode keeps no card numbers'
              : 'Show full card numbers on this page until it is reloaded'
          }
          onClick={() => setReveal(!reveal)}
        >
          Show card numbers
          <span class="knob" aria-hidden="true" />
        </button>
      </header>
      <main class={`requests${selected ? ' chosen' : ''}${reveal ? ' shown' : ''}`}>
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
          <SaveMenu {...{rows, hello, tried}} />
          <button
            type="button"
            aria-pressed={snapshot.isPaused}
            class={snapshot.isPaused ? 'filled' : ''}
            onClick={() => store.pause(!snapshot.isPaused)}
          >
            Pause
          </button>
          <button
            type="button"
            class="plain"
            disabled={isOff || snapshot.rows.length === 0}
            onClick={() => {
              setChosen(undefined);
              void tried(clearHeld(store));
            }}
          >
            Clear
          </button>
        </search>
        <UndoLine {...{store}} undoable={snapshot.undoable} />
        <div role="alert" class="band">
          {alertText(snapshot, error)}
        </div>
        <div class="panes">
          <RequestGrid
            {...{rows, store, snapshot, filter}}
            selected={selected?.id}
            onSelect={setChosen}
            onReset={() => setFilter('')}
          />
          <section class="pane detail" aria-label="Details" data-region tabIndex={-1}>
            {selected ? (
              <Detail
                key={selected.id}
                {...{isReal, isOff, reveal, tried}}
                row={selected}
                onBack={() => setChosen(undefined)}
              />
            ) : (
              <p class="hint quiet">
                {snapshot.rows.length > 0 && 'Choose a request to see everything about it.'}
              </p>
            )}
          </section>
        </div>
        <QueueLine {...{snapshot, isOff, tried}} isQueued={hello !== undefined && !isReal} />
      </main>
    </>
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

/** What a store shows, painted at most once a frame, and not at all while nobody can see it. */
function useStore(store: RequestStore): Snapshot {
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
function useRegions(): void {
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

function modeText({hello}: Snapshot): string {
  return hello ? `${MODES[hello.mode]} · ${location.host}` : location.host;
}

function keptText({rows, hello, isPaused, fresh}: Snapshot, found: number, filter: string): string {
  if (isPaused)
    return `Paused: ${fresh.toLocaleString('en')} new ${fresh === 1 ? 'request' : 'requests'}`;
  if (filter.trim() !== '')
    return `${found.toLocaleString('en')} of ${rows.length.toLocaleString('en')}`;
  return hello
    ? `${rows.length.toLocaleString('en')} of ${hello.kept.toLocaleString('en')} kept`
    : '';
}

function alertText({connection, isOlder}: Snapshot, error: string | undefined) {
  if (connection.kind === 'no-token')
    return (
      <p class="lead bad">
        Open the address that <code>paylens serve</code> printed: this page needs its token.
      </p>
    );
  if (isOlder)
    return (
      <p class="lead bad">
        This page is older than the server.{' '}
        <button type="button" class="link" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
    );
  return error === undefined ? undefined : <p class="bad">✗ {error}</p>;
}
