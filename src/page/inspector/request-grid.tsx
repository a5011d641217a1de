import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {oneLine} from '../model/shown.js';
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
const ROW = 28;
const NARROW_ROW = 52;
/** Rows beyond the visible ones that are in the document. */
const BEYOND = 20;
const NARROW = '(max-width: 719px)';
/** Characters of a text from outside that are shown. */
const LONGEST = 200;

/** The list of requests, newest on top. It stands still while it has the focus or is scrolled. */
export function RequestGrid(props: GridProps) {
  const {rows, store, snapshot, selected, onSelect} = props;
  const scroll = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({top: 0, height: 600});
  const [active, setActive] = useState<string>();
  const wanted = useRef(false);
  const height = matchMedia(NARROW).matches ? NARROW_ROW : ROW;
  const at = Math.max(
    0,
    rows.findIndex(({id}) => id === (active ?? selected)),
  );
  const first = Math.max(0, Math.floor(view.top / height) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + BEYOND);
  const indexes = new Set(Array.from({length: Math.max(0, last - first)}, (_, i) => first + i));
  if (rows.length > 0) indexes.add(at);

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
  useLayoutEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const box = scroll.current;
    if (!box) return;
    const y = at * height;
    if (y < box.scrollTop) box.scrollTop = y;
    else if (y + height > box.scrollTop + box.clientHeight)
      box.scrollTop = y + height - box.clientHeight;
    box.querySelector<HTMLElement>('[tabindex="0"]')?.focus({preventScroll: true});
  });
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    wanted.current = true;
    setActive(row.id);
    if (selected !== undefined && !matchMedia(NARROW).matches) onSelect(row);
  };
  const choose = (row: Row | undefined) => {
    if (!row) return;
    setActive(row.id);
    onSelect(row);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at];
    const page = Math.max(1, Math.floor(view.height / height) - 1);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      PageDown: () => go(at + page),
      PageUp: () => go(at - page),
      Enter: () => choose(row),
      ' ': () => choose(row),
      ArrowRight: () => choose(row),
      p: () => row && store.pin(row.id),
      r: () => row && snapshot.hello?.mode !== 'real' && void replay(row.id).catch(() => {}),
      '/': () => document.querySelector<HTMLElement>('.filter input')?.focus(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <section class="pane list" data-region>
      <div class="heads" aria-hidden="true">
        <span>Time</span>
        <span>Operation</span>
        <span>Reference</span>
        <span>Status</span>
        <span>ms</span>
      </div>
      {snapshot.fresh > 0 && !snapshot.isPaused && (
        <button
          type="button"
          class="fresh"
          onClick={() => {
            if (scroll.current) scroll.current.scrollTop = 0;
            store.catchUp();
          }}
        >
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
        {rows.length === 0 && <Nothing {...props} />}
        <div
          role="grid"
          aria-label="Requests"
          aria-rowcount={rows.length}
          aria-colcount={5}
          tabIndex={rows.length === 0 ? 0 : -1}
          data-entry={rows.length === 0 ? '' : undefined}
          ref={(grid) => grid?.style.setProperty('height', `${rows.length * height}px`)}
          onKeyDown={onKey}
        >
          {[...indexes]
            .sort((a, b) => a - b)
            .map((index) => {
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
      </div>
      <Counted count={rows.length} />
    </section>
  );
}

interface RowProps {
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

function RequestRow({
  row,
  index,
  y,
  selected,
  isActive,
  isPinned,
  isFirstBefore,
  onFocus,
  onChoose,
}: RowProps) {
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
      onFocusIn={onFocus}
      onClick={onChoose}
    >
      <span role="gridcell" tabIndex={-1} class="mono time">
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

function Nothing({snapshot, filter, onReset}: GridProps) {
  if (filter.trim() !== '' && snapshot.rows.length > 0)
    return (
      <p class="hint quiet">
        No request matches.{' '}
        <button type="button" class="link" onClick={onReset}>
          Reset filter
        </button>
      </p>
    );
  if (!snapshot.hello) return null;
  return (
    <div class="hint">
      <p class="lead">No requests yet</p>
      <p class="quiet">
        Send one to <code>{`${location.origin}/api/v1/decrypt/parser`}</code>
        {snapshot.hello.mode === 'real' ? '.' : ', or run'}
      </p>
      {snapshot.hello.mode !== 'real' && (
        <pre class="quoted mono">{`curl -s ${location.origin}/api/v1/partner/validate \\
  -H 'Content-Type: application/json' \\
  -d '{"partnerId": "DEMO", "reference": "first",
       "partnerKey": "d3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0"}'`}</pre>
      )}
    </div>
  );
}

/** Tells screen readers how many there are, at most every five seconds. */
function Counted({count}: {readonly count: number}) {
  const [told, setTold] = useState(count);
  const latest = useRef(count);
  latest.current = count;
  useEffect(() => {
    const timer = setInterval(() => setTold(latest.current), 5000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="said" aria-live="polite">
      {told.toLocaleString('en')} requests
    </p>
  );
}

/** In the time zone of who looks: with tenths of a second. */
export function timeOf(time: string): string {
  const date = new Date(time);
  const digits = (number: number) => String(number).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(digits).join(':');
  return `${clock}.${Math.floor(date.getMilliseconds() / 100)}`;
}

export function clipped(text: string): string {
  return oneLine(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
