import {useLayoutEffect, useMemo, useState} from 'preact/hooks';
import {useDiscs} from '../hooks/use-discs.js';
import {type Answer, useExploration} from '../hooks/use-exploration.js';
import {useLater} from '../hooks/use-later.js';
import {useRegions} from '../hooks/use-regions.js';
import {useWhy} from '../hooks/use-why.js';
import {useWindowEvents} from '../hooks/use-window-events.js';
import type {Exploration} from '../model/explore.js';
import {typedKeys} from '../model/keys.js';
import {MAX_INPUT_BYTES} from '../model/read-input.js';
import {SAMPLE_REQUESTS} from '../model/samples.js';
import {
  type ExplorerState,
  ExplorerStore,
  inOneLine,
  nonEmpty,
  VIEWS,
} from '../store/explorer-store.js';
import {isShort} from '../worker/reader.js';
import {Band} from './band.js';
import {Compared} from './compared.js';
import {ConnectReader} from './connect-reader.js';
import {ExportActions, useLink} from './export-actions.js';
import {Button, PLAIN_TEXT} from './form-fields.js';
import {Inputs} from './inputs.js';
import {Panes} from './panes.js';
import {SimulateForm} from './simulate-form.js';
import {Top} from './top.js';

interface ViewProps {
  readonly store: ExplorerStore;
  readonly state: ExplorerState;
}

/** The explorer: input row, answer band, bytes and fields. */
export function App() {
  const store = useMemo(() => new ExplorerStore(), []);
  const [state, setState] = useState(store.state);
  useLayoutEffect(() => store.listen(setState), []);
  const order = useMemo(() => nonEmpty(state.settled), [state.settled]);
  const {answer, isReading} = useExploration(order);
  const exploration = answer?.exploration;
  const isUnexplained = state.isAsked && !isReading && state.diagnosis.kind === 'idle';
  const why = useWhy(order, isUnexplained ? exploration?.failure : undefined);
  const second = useSecond(state);
  useRegions('.top, .inputs, .form:not(.reader), .band, .empty, .pane, .strip');
  useDrops(store);
  useLink(store);
  return (
    <>
      <Top
        note="Nothing leaves this page"
        reveal={state.reveal}
        onReveal={(reveal) => store.show({reveal})}
      >
        {VIEWS.map((view) => (
          <Button
            key={view}
            aria-current={state.view === view ? 'page' : undefined}
            onClick={() => store.show({view})}
          >
            {view}
          </Button>
        ))}
      </Top>
      <main aria-busy={isReading} class={isReading ? 'reading' : ''}>
        <Inputs {...{store, state, exploration, isReading}} />
        <ConnectReader
          {...{store, resets: state.resets}}
          isOffered={state.view === 'Explorer' && !order}
        />
        {state.view === 'Simulate' && <Simulation {...{store, state}} />}
        {state.view === 'Compare' && <SecondRead {...{store, state}} hidden={second?.hidden} />}
        {exploration && second ? (
          <Compared reads={[exploration, second]} reveal={state.reveal} />
        ) : (
          <>
            <Band
              {...state}
              {...{exploration, isReading, why}}
              onApply={() => store.applyRemedy()}
            />
            {answer || isReading ? (
              <ReadPanes {...{store, state, answer}} />
            ) : (
              <Empty onSample={(text) => store.take(text, {terminal: undefined})} />
            )}
          </>
        )}
      </main>
    </>
  );
}

/** The second read in the view `Compare`. */
function useSecond({view, second, settled: read}: ExplorerState): Exploration | undefined {
  const order = useMemo(
    () =>
      view !== 'Compare' || second.length > MAX_INPUT_BYTES
        ? undefined
        : nonEmpty({text: second, terminal: read.terminal, keys: read.keys}),
    [view, second, read.terminal, read.keys],
  );
  return useExploration(order).answer?.exploration;
}

function Simulation({store, state: {resets, read}}: ViewProps) {
  return (
    <SimulateForm
      key={resets}
      terminal={read.terminal}
      bdk={typedKeys(read.keys.typed)[0]}
      onError={(error) => store.fail(error)}
      onRequest={(request) => store.takeRequest(request)}
    />
  );
}

/** Hidden as the payload is. */
function SecondRead({
  store,
  state: {second: text, reveal},
  hidden,
}: ViewProps & {hidden: Uint8Array | undefined}) {
  const isHidden = !reveal && text !== '' && hidden?.includes(1) !== false;
  const {field, onInput} = useDiscs<HTMLTextAreaElement>({text, version: text, isHidden});
  return (
    <div class="form">
      <label class="wide">
        <span class="label">Second read</span>
        <textarea
          ref={field}
          class={`field mono${isHidden ? ' discs' : ''}`}
          rows={1}
          wrap="off"
          {...PLAIN_TEXT}
          placeholder="Paste another payload to compare field by field"
          onInput={() => store.show({second: inOneLine(onInput())})}
        />
      </label>
    </div>
  );
}

/** Bytes and fields; for a long text they are drawn in a separate task. */
function ReadPanes({store, state: {reveal}, answer}: ViewProps & {answer: Answer | undefined}) {
  const drawn = useLater(answer, answer === undefined || isShort(answer.order));
  if (!answer || !drawn) return null;
  const {exploration} = drawn;
  const onRefusal = (refusal: string | undefined) => store.show({refusal});
  return (
    <Panes
      {...{exploration, reveal}}
      actions={<ExportActions {...{exploration, reveal, onRefusal}} />}
    />
  );
}

function Empty({onSample}: {readonly onSample: (text: string) => void}) {
  return (
    <section class="empty">
      <h2 class="lead">See every byte of a card read</h2>
      <p>Paste a payload or drop a file anywhere. It is parsed in this page and sent nowhere.</p>
      <h3 class="label">Published samples</h3>
      <ul class="samples">
        {SAMPLE_REQUESTS.map(({name, about, text}) => (
          <li key={name}>
            <Button class="link" onClick={() => onSample(text)}>
              {name}
            </Button>
            <span class="quiet">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens files and texts that are dropped anywhere on the page, or pasted outside of its fields. */
function useDrops(store: ExplorerStore): void {
  const take = (data: DataTransfer | null) => {
    const [file] = data?.files ?? [];
    const text = data?.getData('text/plain') ?? '';
    if (file) void store.takeFile(file);
    else if (text !== '') store.receive(text);
  };
  useWindowEvents({
    paste: (event) => {
      if (!(event.target as Element).matches('input, textarea')) take(event.clipboardData);
    },
    dragover: (event) => event.preventDefault(),
    drop: (event) => {
      event.preventDefault();
      take(event.dataTransfer);
    },
  });
}
