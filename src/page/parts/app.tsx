import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {PaylensError} from '../../contract/paylens-error.js';
import {decodeInput, isBinary} from '../../engine/decode-input.js';
import type {TerminalType} from '../../engine/devices/registry.js';
import {bytesFromLatin1, upperHexOf} from '../../platform/bytes.js';
import {compare} from '../model/compare.js';
import {type ExplorationOrder, wipeKeys} from '../model/explore.js';
import {hasKeys, type KeyChoice, typedKeys} from '../model/keys.js';
import {isPublished} from '../model/link.js';
import {type Beside, LARGEST, tooLarge} from '../model/read-input.js';
import {SAMPLE_REQUESTS} from '../model/samples.js';
import type {ToldError} from '../model/told-error.js';
import {Diagnoser} from '../worker/diagnoser.js';
import {Band, type DiagnosisState} from './band.js';
import {ExportActions, NOT_LINKED, useLink} from './export-actions.js';
import {Inputs} from './inputs.js';
import {Panes} from './panes.js';
import {SimulateForm} from './simulate-form.js';
import {isShort, useExploration, useReader} from './use-exploration.js';
import {useLater} from './use-later.js';
import {useOlder} from './use-older.js';
import {useRegions} from './use-regions.js';

/** The words of the payload, and how they are to be read. */
interface Input {
  readonly text: string;
  readonly terminal: TerminalType | undefined;
  readonly beside: Beside;
}

const VIEWS = ['Explorer', 'Compare', 'Simulate'] as const;
type View = (typeof VIEWS)[number];

const NOTHING: Input = {text: '', terminal: undefined, beside: {}};
const NO_KEYS: KeyChoice = {testKeys: true, typed: ''};
const IDLE: DiagnosisState = {kind: 'idle'};
/** After the last key typed into the payload. */
const PAUSE_MS = 120;

/** The explorer: input row, answer band, bytes and fields. */
export function App() {
  const [input, setInput] = useState(NOTHING);
  const [shown, setShown] = useState({text: ''});
  const [testKeys, setTestKeys] = useState(true);
  const [typed, setTyped] = useState('');
  const [keys, setKeys] = useState(NO_KEYS);
  const [reveal, setReveal] = useState(false);
  const [diagnosis, setDiagnosis] = useState(IDLE);
  const [error, setError] = useState<ToldError>();
  const [said, setSaid] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [view, setView] = useState<View>('Explorer');
  const [second, setSecond] = useState('');
  /** How often everything was forgotten: what was typed into a form goes with it. */
  const [forgotten, setForgotten] = useState(0);
  const diagnoser = useMemo(() => new Diagnoser(), []);
  const readLink = useReader();
  const timer = useRef(0);
  /** Typed, but not read yet. */
  const typing = useRef<string | undefined>(undefined);
  const tried = useRef(0);

  const order = useMemo(() => orderOf(input, keys), [input, keys]);
  const {answer, isReading} = useExploration(order);
  const exploration = answer?.exploration;
  const drawn = useLater(answer, answer === undefined || isShort(answer.order));
  const besides = useMemo(
    () =>
      view !== 'Compare' || second.length > LARGEST
        ? undefined
        : orderOf({...NOTHING, text: second, terminal: input.terminal}, keys),
    [view, second, input.terminal, keys],
  );
  const other = useExploration(besides).answer?.exploration;
  const comparison = useMemo(
    () => (exploration && other ? compare(exploration, other) : undefined),
    [exploration, other],
  );
  const stop = () => {
    diagnoser.cancel();
    setDiagnosis(IDLE);
    setError(undefined);
    setSaid(undefined);
    setRefusal(undefined);
  };
  /** Takes a text that was not typed; binary ones are shown in hex. */
  const take = (text: string, more: Partial<Input> = {}) => {
    notTyping();
    stop();
    if (text.length > LARGEST) return refuse(text.length);
    setShown({text: inOneLine(text)});
    setInput({...NOTHING, terminal: input.terminal, text, ...more});
  };
  const refuse = (length: number) => {
    setShown({text: ''});
    setInput({...NOTHING, terminal: input.terminal});
    setError(tooLarge(length));
  };
  const onText = (text: string, isWhole: boolean) => {
    if (isWhole || text.length > LARGEST) return take(text);
    clearTimeout(timer.current);
    typing.current = text;
    timer.current = setTimeout(() => {
      stop();
      settled();
    }, PAUSE_MS);
  };
  /** The input with what was typed last: whoever presses a button does not wait for the pause. */
  const settled = (): Input => {
    const text = typing.current;
    if (text === undefined) return input;
    notTyping();
    const now = {...NOTHING, terminal: input.terminal, text};
    setShown({text});
    setInput(now);
    return now;
  };
  const notTyping = () => {
    clearTimeout(timer.current);
    typing.current = undefined;
  };
  const open = async (file: File) => {
    if (file.size > LARGEST) return refuse(file.size);
    try {
      take(decodeInput(new Uint8Array(await file.arrayBuffer())));
    } catch (failure) {
      if (!(failure instanceof PaylensError)) throw failure;
      stop();
      setError(failure);
    }
  };
  useRegions();
  const isOlder = useOlder();
  useDrops(open, (text) => take(text));
  useLink((linked) => {
    readLink({...linked, beside: {}, keys: NO_KEYS}, (found) => {
      wipeKeys(found);
      if (!isPublished(linked.text, found)) return setRefusal(NOT_LINKED);
      setKeys(NO_KEYS);
      setTestKeys(true);
      take(linked.text, {terminal: linked.terminal});
    });
  }, setRefusal);

  const onDiagnose = () => {
    stop();
    tried.current = 0;
    setDiagnosis({kind: 'running', stage: '', tried: 0, elapsedMs: 0});
    diagnoser.start(
      {...settled(), keys: typedKeys(typed)},
      {
        progress: (stage, count, elapsedMs) => {
          tried.current = count;
          setDiagnosis({kind: 'running', stage, tried: count, elapsedMs});
        },
        done: (found) => setDiagnosis({kind: 'done', answer: found}),
        failed: (failure) => setDiagnosis({kind: 'failed', error: failure}),
        died: () => setDiagnosis({kind: 'died'}),
      },
    );
  };
  const onCancel = () => {
    diagnoser.cancel();
    setDiagnosis({kind: 'cancelled', tried: tried.current});
  };
  const onApply = () => {
    const remedy = diagnosis.kind === 'done' ? diagnosis.answer.remedy : undefined;
    if (!remedy) return;
    const {payload, ksn, iv, key, compatibility} = remedy;
    const choice = {
      testKeys: key === undefined || testKeys,
      typed: key ?? typed,
      ...(compatibility ? {compatibility} : {}),
    };
    setTestKeys(choice.testKeys);
    setTyped(choice.typed);
    setKeys(choice);
    take(payload, {terminal: remedy.deviceType as TerminalType, beside: {ksn, iv}});
  };
  const onForget = () => {
    notTyping();
    stop();
    setTyped('');
    setSecond('');
    setForgotten(forgotten + 1);
    setKeys({testKeys, typed: ''});
    setReveal(false);
    setShown({text: ''});
    setInput(NOTHING);
    setSaid('Keys and card data deleted from this page.');
  };
  const isDiagnosing = diagnosis.kind === 'running';
  const holdsCard = exploration?.hidden.includes(1) ?? false;
  return (
    <>
      <header class="top">
        <h1>paylens</h1>
        <nav class="views" aria-label="Views">
          {VIEWS.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={view === name ? 'page' : undefined}
              onClick={() => setView(name)}
            >
              {name}
            </button>
          ))}
        </nav>
        <span class="note">Nothing leaves this page</span>
        <button
          type="button"
          class="switch"
          role="switch"
          aria-checked={reveal}
          title="Show full card numbers on this page until it is reloaded"
          onClick={() => setReveal(!reveal)}
        >
          Show card numbers
          <span class="knob" aria-hidden="true" />
        </button>
      </header>
      <main aria-busy={isReading} class={isReading ? 'reading' : ''}>
        {isOlder && (
          <p class="keyline quiet" aria-live="polite">
            This page is older than its server.{' '}
            <button
              type="button"
              class="link"
              onClick={() => {
                onForget();
                location.reload();
              }}
            >
              Reload
            </button>
          </p>
        )}
        <Inputs
          {...{
            shown,
            testKeys,
            typed,
            reveal,
            isDiagnosing,
            onText,
            onDiagnose,
            onCancel,
            onForget,
          }}
          terminal={input.terminal}
          isHidden={(holdsCard || isReading) && !reveal}
          isDiagnosisWanted={exploration?.failure !== undefined && !isDiagnosing}
          hasSecrets={typed !== '' || input.text !== ''}
          onTerminal={(terminal) => {
            stop();
            setInput({...input, terminal});
          }}
          onTestKeys={(isOn) => {
            stop();
            setTestKeys(isOn);
            setKeys({...keys, testKeys: isOn});
          }}
          onTyped={setTyped}
          onDecrypt={() => {
            stop();
            const choice = {testKeys, typed};
            setKeys(choice);
            if (settled().text.trim() === '') setError(new PaylensError(2002));
            else if (!hasKeys(choice)) setError(new PaylensError(2600, 'no key was given'));
          }}
        />
        {view === 'Simulate' && (
          <SimulateForm
            key={forgotten}
            terminal={input.terminal}
            bdk={typedKeys(typed)[0]}
            onError={(failure) => {
              stop();
              setError(failure);
            }}
            onRequest={({deviceType, devicePayload, ksn, iv}) =>
              take(devicePayload, {terminal: deviceType as TerminalType, beside: {ksn, iv}})
            }
          />
        )}
        {view === 'Compare' && (
          <div class="form">
            <label class="wide">
              <span class="label">Second read</span>
              <textarea
                class={`field mono${reveal || second === '' ? '' : ' discs'}`}
                rows={1}
                wrap="off"
                autocomplete="off"
                spellcheck={false}
                value={second}
                placeholder="Paste another payload to compare field by field"
                onInput={({currentTarget: {value}}) =>
                  setSecond(value.includes('\n') ? inOneLine(value) : value)
                }
              />
            </label>
          </div>
        )}
        {exploration?.input.note !== undefined && (
          <p class="keyline quiet">{exploration.input.note}</p>
        )}
        <Band {...{exploration, isReading, error, said, refusal, reveal, diagnosis, onApply}} />
        {answer || isReading ? (
          answer &&
          drawn && (
            <Panes
              {...{reveal, comparison}}
              exploration={drawn.exploration}
              actions={
                <ExportActions
                  {...{reveal, onRefusal: setRefusal}}
                  exploration={drawn.exploration}
                  linked={drawn.order}
                />
              }
            />
          )
        ) : (
          <Empty onSample={(text) => take(text, {terminal: undefined})} />
        )}
      </main>
    </>
  );
}

function orderOf(input: Input, keys: KeyChoice): ExplorationOrder | undefined {
  return input.text.trim() === '' ? undefined : {...input, keys};
}

/** As the field of one line shows it: binary in hex, JSON without its line ends. */
function inOneLine(text: string): string {
  if (isBinary(text)) return upperHexOf(bytesFromLatin1(text));
  return text.trimStart().startsWith('{') ? text.replaceAll(/\s*\n\s*/g, ' ').trim() : text;
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
            <button type="button" class="link" onClick={() => onSample(text)}>
              {name}
            </button>
            <span class="quiet">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Files and texts that are dropped anywhere. */
function useDrops(open: (file: File) => void, take: (text: string) => void): void {
  const latest = useRef({open, take});
  latest.current = {open, take};
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (file) latest.current.open(file);
      else if (text !== '') latest.current.take(text);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}
