import {useLayoutEffect, useRef} from 'preact/hooks';
import {TERMINAL_TYPES, type TerminalType} from '../../engine/devices/registry.js';
import {keyLine, typedKeys} from '../model/keys.js';

interface InputProps {
  /** What was set into the field; another object whenever it is set again. */
  readonly shown: {readonly text: string};
  readonly isHidden: boolean;
  readonly terminal: TerminalType | undefined;
  readonly testKeys: boolean;
  readonly typed: string;
  readonly reveal: boolean;
  readonly isDiagnosing: boolean;
  readonly isDiagnosisWanted: boolean;
  readonly hasSecrets: boolean;
  readonly onText: (text: string, isWhole: boolean) => void;
  readonly onTerminal: (type: TerminalType | undefined) => void;
  readonly onTestKeys: (isOn: boolean) => void;
  readonly onTyped: (typed: string) => void;
  readonly onDecrypt: () => void;
  readonly onDiagnose: () => void;
  readonly onCancel: () => void;
  readonly onForget: () => void;
}

/** The row of inputs that every view has. */
export function Inputs(props: InputProps) {
  const {terminal, testKeys, typed, isDiagnosing, isDiagnosisWanted} = props;
  const keys = typedKeys(typed);
  const lines = keys.map(keyLine);
  const isBad = lines.some(({ok}) => !ok);
  const diagnose = useRef<HTMLButtonElement>(null);
  return (
    <>
      <div class={`inputs${props.reveal ? ' shown' : ''}`}>
        <PayloadField {...props} />
        <label class="terminal">
          <span class="label">Terminal</span>
          <select
            class="field"
            value={terminal ?? ''}
            onChange={(event) => {
              const {value} = event.currentTarget;
              props.onTerminal(TERMINAL_TYPES.find((type) => type === value));
            }}
          >
            <option value="">Recognise</option>
            {TERMINAL_TYPES.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </label>
        <label class="tick">
          <input
            type="checkbox"
            checked={testKeys}
            onChange={(event) => props.onTestKeys(event.currentTarget.checked)}
          />
          Published test keys
        </label>
        <label class="keys">
          <span class="label">Key</span>
          <input
            type="text"
            class={`field mono${props.reveal ? '' : ' discs'}${typed === '' ? ' no' : ''}`}
            placeholder="BDK, IK or working key"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={typed}
            aria-invalid={isBad}
            aria-describedby={keys.length > 0 ? 'key-line' : undefined}
            onInput={(event) => props.onTyped(event.currentTarget.value)}
            onPaste={(event) => pasteKeys(event, props.onTyped)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') props.onDecrypt();
            }}
          />
        </label>
        <div class="actions">
          <button type="button" class={isDiagnosisWanted ? '' : 'filled'} onClick={props.onDecrypt}>
            Decrypt
          </button>
          <button
            type="button"
            ref={diagnose}
            class={isDiagnosisWanted ? 'filled' : ''}
            onClick={props.onDiagnose}
          >
            Diagnose
          </button>
          <button
            type="button"
            class={isDiagnosing ? 'busy' : 'plain'}
            disabled={!isDiagnosing}
            onClick={() => {
              props.onCancel();
              diagnose.current?.focus();
            }}
          >
            Cancel
          </button>
          <button
            type="button"
            class="plain"
            title="Delete keys, results and card data from this page's memory"
            disabled={!props.hasSecrets}
            onClick={(event) => {
              props.onForget();
              // The button is done with: the next thing is another payload.
              event.currentTarget.closest('.inputs')?.querySelector('textarea')?.focus();
            }}
          >
            Forget
          </button>
        </div>
      </div>
      {keys.length > 0 && (
        <p class="keyline" id="key-line" aria-live="polite">
          {lines.map(({ok, text}, i) => (
            <span key={i} class={ok ? 'mono key' : 'bad'}>
              {keys.length > 1 ? `Key ${i + 1}: ` : 'Key: '}
              {text}
              {'. '}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** Several keys are pasted on several lines; in a field of one line they would run together. */
function pasteKeys(event: ClipboardEvent, onTyped: (typed: string) => void): void {
  const text = event.clipboardData?.getData('text') ?? '';
  if (!/[\r\n]/.test(text.trim())) return;
  event.preventDefault();
  onTyped(
    text
      .trim()
      .split(/[\r\n]+/)
      .join(', '),
  );
}

/** Of a long text the beginning is seen. */
function toStart(field: HTMLTextAreaElement): void {
  field.scrollTop = 0;
  field.scrollLeft = 0;
}

type FieldProps = Pick<InputProps, 'shown' | 'isHidden' | 'onText'>;

/** Typing is left to the browser: only what was set from elsewhere is written into the field. */
function PayloadField({shown, isHidden, onText}: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next frame: a payload that was forgotten is not seen once more.
  useLayoutEffect(() => {
    if (!field.current) return;
    if (field.current.value === shown.text) return;
    field.current.value = shown.text;
    toStart(field.current);
  }, [shown]);
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text') ?? '';
    const {value, selectionStart, selectionEnd} = event.currentTarget as HTMLTextAreaElement;
    const isWhole = selectionEnd - selectionStart === value.length;
    if (text === '' || !isWhole) return;
    event.preventDefault();
    onText(text, true);
  };
  return (
    <label class="payload">
      <span class="label">Payload</span>
      <textarea
        ref={field}
        class={`field mono${isHidden ? ' discs' : ''}`}
        rows={1}
        wrap="off"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="Paste hex, Base64, JSON or keyboard text"
        onPaste={onPaste}
        onBlur={(event) => toStart(event.currentTarget)}
        onInput={(event) => onText(event.currentTarget.value, false)}
      />
    </label>
  );
}
