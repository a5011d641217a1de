import {useLayoutEffect, useRef} from 'preact/hooks';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import type {Exploration} from '../model/explore.js';
import {keyLine, typedKeys} from '../model/keys.js';
import type {ExplorerState, ExplorerStore} from '../store/explorer-store.js';
import {PLAIN_TEXT, SelectField} from './form-fields.js';

interface InputProps {
  readonly store: ExplorerStore;
  readonly state: ExplorerState;
  readonly exploration: Exploration | undefined;
  readonly isReading: boolean;
}

/** The row of inputs that every view has. */
export function Inputs(props: InputProps) {
  const {store, state, exploration, isReading} = props;
  const {read, fieldText, form, reveal} = state;
  const holdsCard = exploration?.hidden.includes(1) ?? false;
  return (
    <>
      <div class={`inputs${reveal ? ' shown' : ''}`}>
        <PayloadField {...{store, fieldText}} isHidden={(holdsCard || isReading) && !reveal} />
        <SelectField
          label="Terminal"
          kind="terminal"
          value={read.terminal ?? ''}
          choices={TERMINAL_CHOICES}
          onChoose={(value) => store.chooseTerminal(TERMINAL_TYPES.find((type) => type === value))}
        />
        <label class="tick">
          <input
            type="checkbox"
            checked={form.testKeys}
            onChange={(event) => store.chooseTestKeys(event.currentTarget.checked)}
          />
          Published test keys
        </label>
        <KeyField {...{store, state}} />
        <ReadActions {...props} />
      </div>
      <KeyLines typed={form.typed} />
    </>
  );
}

const TERMINAL_CHOICES = [
  ['', 'Recognise'],
  ...TERMINAL_TYPES.map((type) => [type, type] as const),
] as const;

function KeyField({store, state}: Pick<InputProps, 'store' | 'state'>) {
  const {typed} = state.form;
  const keys = typedKeys(typed);
  return (
    <label class="keys">
      <span class="label">Key</span>
      <input
        type="text"
        class={`field mono${state.reveal ? '' : ' discs'}`}
        placeholder="BDK, IK or working key"
        {...PLAIN_TEXT}
        value={typed}
        aria-invalid={keys.some((key) => !keyLine(key).ok)}
        aria-describedby={keys.length > 0 ? 'key-line' : undefined}
        onInput={(event) => store.typeKeys(event.currentTarget.value)}
        onPaste={(event) => pasteKeys(event, store)}
        onKeyDown={({key}) => key === 'Enter' && store.decrypt()}
      />
    </label>
  );
}

/** Several keys are pasted on several lines; in a field of one line they would run together. */
function pasteKeys(event: ClipboardEvent, store: ExplorerStore): void {
  const text = event.clipboardData?.getData('text').trim() ?? '';
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  store.typeKeys(text.split(/[\r\n]+/).join(', '));
}

function ReadActions({store, state: {read, form, diagnosis}, exploration}: InputProps) {
  const diagnose = useRef<HTMLButtonElement>(null);
  const isDiagnosing = diagnosis.kind === 'progress';
  const isWanted = exploration?.failure !== undefined && !isDiagnosing;
  const cancel = () => {
    store.cancelDiagnosis();
    diagnose.current?.focus();
  };
  const forget = (event: Event) => {
    store.forget();
    // This button is disabled now; the next step is another payload.
    const inputs = (event.currentTarget as HTMLElement).closest('.inputs');
    inputs?.querySelector('textarea')?.focus();
  };
  return (
    <div class="actions">
      <button type="button" class={isWanted ? '' : 'filled'} onClick={() => store.decrypt()}>
        Decrypt
      </button>
      <button
        type="button"
        ref={diagnose}
        class={isWanted ? 'filled' : ''}
        onClick={() => store.diagnose()}
      >
        Diagnose
      </button>
      <button
        type="button"
        class={isDiagnosing ? '' : 'plain'}
        disabled={!isDiagnosing}
        onClick={cancel}
      >
        Cancel
      </button>
      <button
        type="button"
        class="plain"
        title="Delete keys, results and card data from this page's memory"
        disabled={form.typed === '' && read.text === ''}
        onClick={forget}
      >
        Forget
      </button>
    </div>
  );
}

function KeyLines({typed}: {readonly typed: string}) {
  const lines = typedKeys(typed).map(keyLine);
  if (lines.length === 0) return null;
  return (
    <p class="keyline" id="key-line" aria-live="polite">
      {lines.map(({ok, text}, i) => (
        <span key={i} class={ok ? 'mono key' : 'bad'}>
          {lines.length > 1 ? `Key ${i + 1}: ` : 'Key: '}
          {text}
          {'. '}
        </span>
      ))}
    </p>
  );
}

/** Shows the beginning of a long text. */
function toStart(field: HTMLTextAreaElement): void {
  field.scrollTop = 0;
  field.scrollLeft = 0;
}

interface PayloadFieldProps extends Pick<ExplorerState, 'fieldText'> {
  readonly store: ExplorerStore;
  readonly isHidden: boolean;
}

/** Typing is left to the browser: only a text that was set from elsewhere is written into the field. */
function PayloadField({store, fieldText, isHidden}: PayloadFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next frame: a deleted payload is not painted again.
  useLayoutEffect(() => {
    if (!field.current || field.current.value === fieldText.text) return;
    field.current.value = fieldText.text;
    toStart(field.current);
  }, [fieldText]);
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text') ?? '';
    const {value, selectionStart, selectionEnd} = event.currentTarget as HTMLTextAreaElement;
    const isWhole = selectionEnd - selectionStart === value.length;
    if (text === '' || !isWhole) return;
    event.preventDefault();
    store.take(text);
  };
  return (
    <label class="payload">
      <span class="label">Payload</span>
      <textarea
        ref={field}
        class={`field mono${isHidden ? ' discs' : ''}`}
        rows={1}
        wrap="off"
        {...PLAIN_TEXT}
        placeholder="Paste hex, Base64, JSON or keyboard text"
        onPaste={onPaste}
        onBlur={(event) => toStart(event.currentTarget)}
        onInput={(event) => store.type(event.currentTarget.value)}
      />
    </label>
  );
}
