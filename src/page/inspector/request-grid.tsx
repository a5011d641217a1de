import type {ComponentChildren, RefObject} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {isNarrow} from '../hooks/use-narrow.js';
import {oneLine} from '../model/shown.js';
import {Button} from '../parts/form-fields.js';
import {listMoves, rowsOfPage, scrollToRow} from '../parts/row-list.js';
import type {RequestStore, Row} from './request-store.js';
import {replay, type Session} from './server.js';

interface GridProps {
  readonly rows: readonly Row[];
  readonly session: Session;
  readonly filter: string;
  readonly selected: string | undefined;
  readonly onSelect: (row: Row) => void;
  readonly onReset: () => void;
}

/** Height of a row, wide and narrow. */
const WIDE_ROW_HEIGHT = 28;
const NARROW_ROW_HEIGHT = 52;
/** Rows outside of the view that are in the document. */
const ROWS_OUTSIDE = 20;
/** Characters shown of a text that a client sent. */
const MAX_FOREIGN_CHARS = 200;
const HEADS = ['Time', 'Operation', 'Reference', 'Status', 'ms'];

/** The list of requests, newest first. It does not move while it has the focus or is scrolled. */
export function RequestGrid(props: GridProps) {
  const {rows, session, onSelect} = props;
  const {store, snapshot} = session;
  const scroll = useRef<HTMLDivElement>(null);
  const {view, look, hold} = useView(scroll, store);
  const {at, height, go, setActive} = useActiveRow(props, scroll);
  const choose = (row: Row | undefined) => {
    if (!row) return;
    setActive(row.id);
    onSelect(row);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = rowsOfPage(view.height, height);
    const moves = listMoves({at, count: rows.length, page}, go);
    const act = moves[event.key] ?? rowActions(props, rows[at], choose)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const showNewest = () => {
    if (scroll.current) scroll.current.scrollTop = 0;
    store.catchUp();
  };
  return (
    <section class="pane list">
      <div class="heads" aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      {snapshot.fresh > 0 && !snapshot.isPaused && (
        <Button class="fresh" onClick={showNewest}>
          {snapshot.fresh.toLocaleString('en')} new
        </Button>
      )}
      <div
        class="scroll"
        ref={scroll}
        onScroll={look}
        onFocusIn={hold}
        onFocusOut={() => setTimeout(hold)}
      >
        {rows.length === 0 && <NoRequests {...props} />}
        <Rows {...{...props, view, at, height, onKey, setActive, choose}} />
      </div>
      <RequestCount count={rows.length} />
    </section>
  );
}

interface View {
  readonly top: number;
  readonly height: number;
}

/** The part of the list in view; the store does not move rows that are being read. */
function useView(scroll: RefObject<HTMLDivElement | null>, store: RequestStore) {
  const [view, setView] = useState<View>({top: 0, height: 600});
  const hold = () => {
    const box = scroll.current;
    if (box) store.hold(box.scrollTop > 0 || box.contains(document.activeElement));
  };
  const look = () => {
    const box = scroll.current;
    if (box) setView({top: box.scrollTop, height: box.clientHeight});
    hold();
  };
  useEffect(() => {
    const watch = new ResizeObserver(look);
    if (scroll.current) watch.observe(scroll.current);
    return () => watch.disconnect();
  }, []);
  return {view, look, hold};
}

/** The row with the tab stop, and how the keyboard goes to another one. */
function useActiveRow(
  {rows, selected, onSelect}: GridProps,
  scroll: RefObject<HTMLDivElement | null>,
) {
  const [active, setActive] = useState<string>();
  const isFocusWanted = useRef(false);
  const height = isNarrow() ? NARROW_ROW_HEIGHT : WIDE_ROW_HEIGHT;
  const wanted = active ?? selected;
  const at = Math.max(
    0,
    rows.findIndex(({id}) => id === wanted),
  );
  useLayoutEffect(() => {
    if (!isFocusWanted.current) return;
    isFocusWanted.current = false;
    const box = scroll.current;
    if (!box) return;
    scrollToRow(box, at * height, height);
    box.querySelector<HTMLElement>('[tabindex="0"]')?.focus({preventScroll: true});
  });
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    isFocusWanted.current = true;
    setActive(row.id);
    if (selected !== undefined && !isNarrow()) onSelect(row);
  };
  return {at, height, go, setActive};
}

/** What the keys do with the active row. */
function rowActions(
  {session: {store, isReal}}: GridProps,
  row: Row | undefined,
  choose: (row: Row | undefined) => void,
): Readonly<Record<string, () => void>> {
  return {
    Enter: () => choose(row),
    ' ': () => choose(row),
    ArrowRight: () => choose(row),
    p: () => row && store.pin(row.id),
    r: () =>
      row &&
      !isReal &&
      void replay(row.id)
        .then(() => store.awaitNext())
        .catch(() => {}),
    '/': () => document.querySelector<HTMLElement>('.filter input')?.focus(),
  };
}

interface RowsProps extends GridProps {
  readonly view: View;
  readonly at: number;
  readonly height: number;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly setActive: (id: string) => void;
  readonly choose: (row: Row) => void;
}

/** The rows near the view, and the one with the tab stop. */
function Rows(props: RowsProps) {
  const {rows, session, selected, view, at, height, onKey, setActive, choose} = props;
  const first = Math.floor(view.top / height) - ROWS_OUTSIDE;
  const last = Math.ceil((view.top + view.height) / height) + ROWS_OUTSIDE;
  const isEmpty = rows.length === 0;
  return (
    <div
      role="grid"
      aria-label="Requests"
      aria-rowcount={rows.length}
      aria-colcount={HEADS.length}
      tabIndex={isEmpty ? 0 : -1}
      data-entry={isEmpty ? '' : undefined}
      style={{height: `${rows.length * height}px`}}
      onKeyDown={onKey}
    >
      {rows.map((row, i) => {
        if (i !== at && (i < first || i >= last)) return null;
        const classes = [
          'request',
          row.id === selected && 'in',
          session.store.isPinned(row.id) && 'pinned',
          row.isBefore && !rows[i - 1]?.isBefore && 'rule',
        ];
        return (
          <div
            key={row.id}
            role="row"
            class={classes.filter(Boolean).join(' ')}
            aria-rowindex={i + 1}
            aria-selected={row.id === selected}
            tabIndex={i === at ? 0 : -1}
            data-entry={i === at ? '' : undefined}
            style={{top: `${i * height}px`}}
            onFocusIn={() => setActive(row.id)}
            onClick={() => choose(row)}
          >
            <Cells {...{row}} isPinned={session.store.isPinned(row.id)} />
          </div>
        );
      })}
    </div>
  );
}

function Cells({row, isPinned}: {readonly row: Row; readonly isPinned: boolean}) {
  const {operation, method = '', target, deviceType, reference = '', status, errCode, ms} = row;
  const cell = (kind: string, children: ComponentChildren) => (
    <span role="gridcell" tabIndex={-1} class={kind}>
      {children}
    </span>
  );
  return (
    <>
      {cell(
        'mono time quiet',
        <>
          {isPinned && (
            <span class="pin" role="img" aria-label="pinned">
              ●
            </span>
          )}
          {timeOf(row.time)}
        </>,
      )}
      {cell(
        'what',
        <>
          {operation ?? clipped(`${method} ${target}`)} <span class="quiet">{deviceType}</span>
        </>,
      )}
      {cell('mono ref', clipped(reference))}
      {cell(
        `mono code ${status >= 400 ? 'bad' : 'quiet'}`,
        <>
          {row.fault === undefined ? status : `${row.fault} `}
          {errCode !== undefined && <b> {errCode}</b>}
        </>,
      )}
      {cell('mono ms quiet', ms?.toFixed(1))}
    </>
  );
}

function NoRequests({session: {snapshot, isReal}, filter, onReset}: GridProps) {
  if (filter.trim() !== '' && snapshot.rows.length > 0)
    return (
      <p class="hint quiet">
        No request matches.{' '}
        <Button class="link" onClick={onReset}>
          Reset filter
        </Button>
      </p>
    );
  if (!snapshot.handshake) return null;
  return (
    <div class="hint">
      <p class="lead">No requests yet</p>
      <p class="quiet">
        Send one to <code>{`${location.origin}/api/v1/decrypt/parser`}</code>
        {isReal ? '.' : ', or run'}
      </p>
      {!isReal && (
        <pre class="quoted mono">{`curl -s ${location.origin}/api/v1/partner/validate \\
  -H 'Content-Type: application/json' \\
  -d '{"partnerId": "DEMO", "reference": "first",
       "partnerKey": "d3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0"}'`}</pre>
      )}
    </div>
  );
}

/** The number of requests for screen readers, updated at most every five seconds. */
function RequestCount({count}: {readonly count: number}) {
  const [announced, setAnnounced] = useState(count);
  const latest = useRef(count);
  latest.current = count;
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), 5000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="said" aria-live="polite">
      {announced.toLocaleString('en')} requests
    </p>
  );
}

/** Local time with tenths of a second. */
export function timeOf(time: string): string {
  const date = new Date(time);
  const digits = (number: number) => String(number).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(digits).join(':');
  return `${clock}.${Math.floor(date.getMilliseconds() / 100)}`;
}

export function clipped(text: string): string {
  return oneLine(text.length > MAX_FOREIGN_CHARS ? `${text.slice(0, MAX_FOREIGN_CHARS)}…` : text);
}
