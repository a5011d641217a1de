import type {RefObject} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {isNarrow} from '../hooks/use-narrow.js';
import {oneLine} from '../model/shown.js';
import {listMoves, rowsOfPage, scrollToRow} from '../parts/row-list.js';
import type {RequestStore, Row, Snapshot} from './request-store.js';
import {replay} from './server.js';

interface GridProps {
  readonly rows: readonly Row[];
  readonly store: RequestStore;
  readonly snapshot: Snapshot;
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

/** The list of requests, newest on top. It stands still while it has the focus or is scrolled. */
export function RequestGrid(props: GridProps) {
  const {rows, store, snapshot, onSelect} = props;
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
    <section class="pane list" data-region>
      <div class="heads" aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      {snapshot.fresh > 0 && !snapshot.isPaused && (
        <button type="button" class="fresh" onClick={showNewest}>
          {snapshot.fresh.toLocaleString('en')} new
        </button>
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
  {store, snapshot}: GridProps,
  row: Row | undefined,
  choose: (row: Row | undefined) => void,
): Readonly<Record<string, () => void>> {
  const isReal = snapshot.handshake?.mode === 'real';
  return {
    Enter: () => choose(row),
    ' ': () => choose(row),
    ArrowRight: () => choose(row),
    p: () => row && store.pin(row.id),
    r: () => row && !isReal && void replay(row.id).catch(() => {}),
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
function Rows({rows, store, selected, view, at, height, onKey, setActive, choose}: RowsProps) {
  const first = Math.max(0, Math.floor(view.top / height) - ROWS_OUTSIDE);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + ROWS_OUTSIDE);
  const near = Array.from({length: Math.max(0, last - first)}, (_, i) => first + i);
  const indexes = near.includes(at) ? near : at < first ? [at, ...near] : [...near, at];
  return (
    <div
      role="grid"
      aria-label="Requests"
      aria-rowcount={rows.length}
      aria-colcount={HEADS.length}
      tabIndex={rows.length === 0 ? 0 : -1}
      data-entry={rows.length === 0 ? '' : undefined}
      ref={(grid) => grid?.style.setProperty('height', `${rows.length * height}px`)}
      onKeyDown={onKey}
    >
      {indexes.map((index) => {
        const row = rows[index];
        return (
          row && (
            <RequestRow
              key={row.id}
              {...{row, index, selected}}
              y={index * height}
              isActive={index === at}
              isPinned={store.isPinned(row.id)}
              isFirstBefore={row.isBefore && !rows[index - 1]?.isBefore}
              onFocus={() => setActive(row.id)}
              onChoose={() => choose(row)}
            />
          )
        );
      })}
    </div>
  );
}

interface RequestRowProps {
  readonly row: Row;
  readonly index: number;
  readonly y: number;
  readonly selected: string | undefined;
  readonly isActive: boolean;
  readonly isPinned: boolean;
  readonly isFirstBefore: boolean;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

function RequestRow(props: RequestRowProps) {
  const {row, index, y, selected, isActive, isPinned, isFirstBefore} = props;
  const {operation, method = '', target, deviceType, reference, status, errCode, ms} = row;
  const failed = status >= 400;
  const isChosen = row.id === selected;
  const classes = ['request', isChosen && 'in', isPinned && 'pinned', isFirstBefore && 'rule'];
  return (
    <div
      role="row"
      class={classes.filter(Boolean).join(' ')}
      aria-rowindex={index + 1}
      aria-selected={isChosen}
      tabIndex={isActive ? 0 : -1}
      data-entry={isActive ? '' : undefined}
      ref={(element) => element?.style.setProperty('top', `${y}px`)}
      onFocusIn={props.onFocus}
      onClick={props.onChoose}
    >
      <span role="gridcell" tabIndex={-1} class="mono time quiet">
        {isPinned && (
          <span class="pin" role="img" aria-label="pinned">
            ●
          </span>
        )}
        {timeOf(row.time)}
      </span>
      <span role="gridcell" tabIndex={-1} class="what">
        {operation ?? clipped(`${method} ${target}`)} <span class="quiet">{deviceType}</span>
      </span>
      <span role="gridcell" tabIndex={-1} class="mono ref">
        {clipped(reference ?? '')}
      </span>
      <span role="gridcell" tabIndex={-1} class={`mono code${failed ? ' bad' : ' quiet'}`}>
        {row.fault === undefined ? status : `${row.fault} `}
        {errCode !== undefined && <b> {errCode}</b>}
      </span>
      <span role="gridcell" tabIndex={-1} class="mono ms quiet">
        {ms === undefined ? '' : ms.toFixed(1)}
      </span>
    </div>
  );
}

function NoRequests({snapshot, filter, onReset}: GridProps) {
  if (filter.trim() !== '' && snapshot.rows.length > 0)
    return (
      <p class="hint quiet">
        No request matches.{' '}
        <button type="button" class="link" onClick={onReset}>
          Reset filter
        </button>
      </p>
    );
  if (!snapshot.handshake) return null;
  return (
    <div class="hint">
      <p class="lead">No requests yet</p>
      <p class="quiet">
        Send one to <code>{`${location.origin}/api/v1/decrypt/parser`}</code>
        {snapshot.handshake.mode === 'real' ? '.' : ', or run'}
      </p>
      {snapshot.handshake.mode !== 'real' && (
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
