import {useLayoutEffect, useRef, useState} from 'preact/hooks';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import {useDiscs} from '../hooks/use-discs.js';
import type {Exploration} from '../model/explore.js';
import {areWhole, type KeyChoice, keyLine, keysInWords, typedKeys} from '../model/keys.js';
import type {ExplorerState, ExplorerStore} from '../store/explorer-store.js';
import {Button, PLAIN_TEXT, SelectField} from './form-fields.js';
import {ReadRows} from './read-rows.js';

interface InputProps {
  readonly store: ExplorerStore;
  readonly state: ExplorerState;
  readonly exploration: Exploration | undefined;
  readonly isReading: boolean;
}

/** The rows of the read: those of every view, and the folded ones. */
export function Inputs(props: InputProps) {
  const {store, state, exploration, isReading} = props;
  const {read, fieldText, reveal} = state;
  const {keys} = read;
  const holdsCard = exploration?.hidden.includes(1) ?? false;
  const terminal = read.terminal ?? exploration?.input.terminal ?? '';
  return (
    <>
      <div class={`inputs${reveal ? ' shown' : ''}`}>
        <PayloadField {...{store, fieldText}} isHidden={(holdsCard || isReading) && !reveal} />
        <SelectField
          label="Terminal"
          kind="terminal"
          value={terminal}
          choices={TERMINAL_CHOICES}
          onChoose={(value) =>
            store.choose({terminal: TERMINAL_TYPES.find((type) => type === value)})
          }
        />
        <label class="tick">
          <input
            type="checkbox"
            checked={keys.testKeys}
            onChange={(event) =>
              store.choose({keys: {...keys, testKeys: event.currentTarget.checked}})
            }
          />
          Published test keys
        </label>
        <KeyField {...{store, keys}} />
        <ReadActions {...props} />
      </div>
      <KeyLines typed={keys.typed} />
      <ReadRows {...{store, state, exploration}} />
    </>
  );
}

const TERMINAL_CHOICES = [
  ['', 'Recognise'],
  ...TERMINAL_TYPES.map((type) => [type, type] as const),
] as const;

interface KeyFieldProps {
  readonly store: ExplorerStore;
  readonly keys: KeyChoice;
}

/** Never shows a key: discs while it is edited, and besides its role and check value. */
function KeyField({store, keys}: KeyFieldProps) {
  const typed = typedKeys(keys.typed);
  const isWhole = areWhole(keys);
  const [isFocused, setFocused] = useState(false);
  const told = isWhole && typed.length > 0 && !isFocused ? keysInWords(keys) : undefined;
  const {field, onInput} = useDiscs({text: keys.typed, version: keys, isHidden: true, told});
  const type = (text: string) =>
    store.edit({keys: {...keys, typed: text, compatibility: undefined}});
  return (
    <label class="keys">
      <span class="label">Key</span>
      <input
        ref={field}
        type="text"
        class="field mono"
        placeholder="BDK, IK or working key"
        {...PLAIN_TEXT}
        aria-invalid={!isWhole}
        aria-describedby={typed.length > 0 ? 'key-line' : undefined}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onInput={() => type(onInput())}
        onPaste={(event) => pasteKeys(event, type)}
        onKeyDown={({key}) => key === 'Enter' && store.decrypt()}
      />
    </label>
  );
}

/** Several keys are pasted on several lines; in a field of one line they would run together. */
function pasteKeys(event: ClipboardEvent, type: (text: string) => void): void {
  const text = event.clipboardData?.getData('text').trim() ?? '';
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  type(text.split(/[\r\n]+/).join(', '));
}

function ReadActions({store, state, exploration}: InputProps) {
  const {read, fieldText, diagnosis, view} = state;
  const diagnose = useRef<HTMLButtonElement>(null);
  const isDiagnosing = diagnosis.kind === 'progress';
  const isFailed = exploration?.failure !== undefined;
  // One action is emphasised: Generate and Apply come before these.
  const isNext = view !== 'Simulate' && !isDiagnosing && diagnosis.kind !== 'done';
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
      <Button class={isNext && !isFailed ? 'filled' : ''} onClick={() => store.decrypt()}>
        Decrypt
      </Button>
      <button
        type="button"
        ref={diagnose}
        class={isNext && isFailed ? 'filled' : ''}
        onClick={() => store.diagnose()}
      >
        Diagnose
      </button>
      <Button class={isDiagnosing ? '' : 'plain'} disabled={!isDiagnosing} onClick={cancel}>
        Cancel
      </Button>
      <Button
        class="plain"
        title="Delete keys, results and card data from this page's memory"
        disabled={read.keys.typed === '' && read.text === '' && fieldText.text === ''}
        onClick={forget}
      >
        Forget
      </Button>
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

/** Typing is left to the browser; hidden, the field has discs in place of the payload. */
function PayloadField({store, fieldText, isHidden}: PayloadFieldProps) {
  const {text} = fieldText;
  const {field, onInput} = useDiscs<HTMLTextAreaElement>({text, version: fieldText, isHidden});
  useLayoutEffect(() => {
    if (field.current && field.current !== document.activeElement) toStart(field.current);
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
        onInput={() => store.type(onInput())}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          store.decrypt();
        }}
      />
    </label>
  );
}
