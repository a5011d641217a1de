import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {harOf} from '../../export/copy-forms.js';
import {useRegions} from '../hooks/use-regions.js';
import {useWindowEvents} from '../hooks/use-window-events.js';
import {oneLine} from '../model/shown.js';
import {Button, Menu, PLAIN_TEXT} from '../parts/form-fields.js';
import {saveFile} from '../parts/save-file.js';
import {Top} from '../parts/top.js';
import {Detail} from './detail.js';
import {clearCache} from './detail-cache.js';
import {QueueLine} from './queue-line.js';
import {RequestGrid} from './request-grid.js';
import {RequestStore, type Row, requestsOf, type Snapshot} from './request-store.js';
import {rowFilter} from './row-filter.js';
import {detailOf, follow, type Session, takeToken} from './server.js';
import {UndoLine} from './undo-line.js';

/** The inspector: filter, list, detail, queued answers. */
export function Inspector() {
  const store = useMemo(() => new RequestStore(), []);
  const snapshot = useSnapshot(store);
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<Row>();
  const [reveal, setReveal] = useState(false);
  const [error, setError] = useState<string>();
  const connect = () => {
    takeToken();
    void follow(store);
  };
  useEffect(connect, [store]);
  // The printed address was opened again in this tab, which loads nothing.
  useWindowEvents({hashchange: () => (store.isRefused ? connect() : takeToken())});
  useRegions('.filter, .list, .detail, .queue');
  const rows = useMemo(() => wantedRows(snapshot, store, filter), [snapshot, filter, store]);
  const selected = chosen && (snapshot.rows.find(({id}) => id === chosen.id) ?? chosen);
  const isReal = snapshot.handshake?.mode === 'real';
  const attempt = (work: Promise<unknown>) => {
    setError(undefined);
    return work.catch((failure: Error) => setError(oneLine(failure.message)));
  };
  const isOff = snapshot.connection.kind !== 'live';
  const session: Session = {store, snapshot, isReal, isOff, attempt};
  const onBack = () => setChosen(undefined);
  return (
    <>
      <Top
        note={modeText(snapshot)}
        {...{reveal}}
        unavailable={isReal ? 'Real mode keeps no card numbers' : undefined}
        onReveal={setReveal}
      >
        <PageLinks {...{isReal}} />
      </Top>
      <main class={`requests${selected ? ' chosen' : ''}${reveal ? ' shown' : ''}`}>
        <FilterBar {...{session, rows, filter, setFilter}} onClear={onBack} />
        <UndoLine {...{store}} undoable={snapshot.undoable} />
        <Alert {...{snapshot, error}} />
        <div class="panes">
          <RequestGrid
            {...{rows, session, filter}}
            selected={selected?.id}
            onSelect={setChosen}
            onReset={() => setFilter('')}
          />
          <section class="pane detail" aria-label="Details">
            {selected && <Detail key={selected.id} {...{session, reveal, onBack}} row={selected} />}
            {!selected && snapshot.rows.length > 0 && (
              <p class="hint quiet">Choose a request to see everything about it.</p>
            )}
          </section>
        </div>
        <QueueLine {...{session}} />
      </main>
    </>
  );
}

/** In real mode the session of this page ends when it is left. */
function PageLinks({isReal}: {readonly isReal: boolean}) {
  return (
    <>
      <a href="/" aria-current="page">
        Requests
      </a>
      <a href="/explore" target={isReal ? '_blank' : undefined} rel="noopener">
        Explorer
      </a>
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
  readonly session: Session;
  readonly rows: readonly Row[];
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly onClear: () => void;
}

function FilterBar({session, rows, filter, setFilter, onClear}: FilterProps) {
  const {store, snapshot, isOff, attempt} = session;
  const {handshake, isPaused} = snapshot;
  const clear = () => {
    onClear();
    void attempt(clearCache(store));
  };
  return (
    <search class="filter">
      <input
        class="field"
        type="search"
        aria-label="Search requests"
        placeholder="Filter: 401, order-10, errCode:2601 …"
        value={filter}
        {...PLAIN_TEXT}
        onInput={({currentTarget}) => setFilter(currentTarget.value)}
      />
      <span class="quiet kept">{keptText(snapshot, rows.length, filter)}</span>
      <Menu
        name="Save as"
        isDisabled={rows.length === 0}
        choices={SAVED_FORMS}
        onChoose={(form) => void attempt(save(form, rows, handshake?.version ?? ''))}
      />
      <Button
        aria-pressed={isPaused}
        class={isPaused ? 'filled' : ''}
        onClick={() => store.pause(!isPaused)}
      >
        Pause
      </Button>
      <Button class="plain" disabled={isOff || snapshot.rows.length === 0} onClick={clear}>
        Clear
      </Button>
    </search>
  );
}

const SAVED_FORMS = [
  ['har', 'HAR'],
  ['jsonl', 'JSON lines'],
] as const;

/** Saves the requests that the list shows, oldest first. */
async function save(form: string, rows: readonly Row[], version: string): Promise<void> {
  const oldestFirst = rows.toReversed();
  if (form === 'jsonl') {
    const lines = oldestFirst.map(({id: _, isBefore: __, ...row}) => `${JSON.stringify(row)}\n`);
    return saveFile('requests.jsonl', lines.join(''));
  }
  const details = [];
  // One at a time, so that the service is not held up.
  for (const {id, isBefore} of oldestFirst) if (!isBefore) details.push(await detailOf(id, true));
  saveFile('requests.har', harOf(details, version, location.origin));
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
  if (isPaused) return `Paused: ${requestsOf(fresh, 'new ')}`;
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
          <Button class="link" onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      )}
      {!isUnknown && !snapshot.isOlder && error !== undefined && <p class="bad">✗ {error}</p>}
    </div>
  );
}
