import {useState} from 'preact/hooks';
import {nounFor} from '../../contract/found-hex.js';
import {hexOfCell, textOfCell} from '../../engine/inspection/cells.js';
import {upperHexOf} from '../../platform/bytes.js';
import {isNarrow} from '../hooks/use-narrow.js';
import type {Step} from '../model/derivation.js';
import type {Exploration} from '../model/explore.js';
import {type Field, pathOf} from '../model/field.js';
import type {OpenedPart} from '../model/open-payload.js';
import {oneLine, shownAs} from '../model/shown.js';
import {Button} from './form-fields.js';

interface StripProps {
  readonly exploration: Exploration;
  /** Those of the tree, which may be compared ones. */
  readonly fields: readonly Field[];
  readonly reveal: boolean;
  readonly field: Field;
  /** -1: none. */
  readonly cursor: number;
}

/** What is selected: its path, place and meaning, and of a ciphertext how it was decrypted. */
export function Strip({exploration, fields, reveal, field, cursor}: StripProps) {
  const [isOpen, setOpen] = useState(() => !isNarrow());
  const {inspection, opened} = exploration;
  const path = pathOf(fields, field);
  const part = field.opened === undefined ? undefined : opened?.parts[field.opened];
  const at = cursor >= 0 ? cursor : field.offset;
  const setting = inspection.encrypted.find(
    ({name}) => part === undefined && name === field.name.clear,
  );
  return (
    <section class="strip" aria-label="Selected field">
      <p class="facts">
        <span>
          {path.slice(0, -1).map(({id, name}) => (
            <span key={id} class="quiet">
              {oneLine(shownAs(name, reveal))} ›{' '}
            </span>
          ))}
          <b>{oneLine(shownAs(field.name, reveal))}</b>
        </span>
        <span>
          offset <span class="mono">{at}</span>{' '}
          <span class="mono quiet">{at.toString(16).toUpperCase().padStart(4, '0')}</span>
        </span>
        <span>
          {field.length} {nounFor(field.length, inspection.unit)}
        </span>
        {cursor >= 0 && <Cell {...{exploration, reveal, cursor}} />}
        <span class="quiet">
          {ENCODINGS[field.kind] ?? (inspection.unit === 'byte' ? 'binary' : 'text')}
        </span>
        {setting && <span>{setting.setting.mode.toUpperCase()}</span>}
        {isOpen && part && <KeyFacts part={part} />}
        <Button class="link end" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Details
        </Button>
      </p>
      {isOpen &&
        (part ? (
          <OpenedDetail key={field.id} part={part} reveal={reveal} />
        ) : (
          <Meaning {...{field, fields, reveal}} />
        ))}
    </section>
  );
}

function Cell({exploration, reveal, cursor}: Omit<StripProps, 'fields' | 'field'>) {
  const {cells, hidden, inspection} = exploration;
  const code = cells[cursor] ?? 0;
  const isHidden = hidden[cursor] === 1 && !reveal;
  const bits = code.toString(2).padStart(8, '0');
  const text = code >= 0x20 && code < 0x7f ? `“${textOfCell(code)}”` : 'control or binary';
  return (
    <span>
      {inspection.unit} <span class="mono">{isHidden ? '**' : hexOfCell(code)}</span>{' '}
      <span class="quiet">{isHidden ? 'masked' : `${code}, ${bits}, ${text}`}</span>
    </span>
  );
}

const ENCODINGS: Readonly<Partial<Record<Field['kind'], string>>> = {
  encrypted: 'encrypted',
  key: 'key data',
  unread: 'not parsed',
  card: 'card data',
  bit: 'bit field',
};

function KeyFacts({part}: {readonly part: OpenedPart}) {
  const {scheme, mode, iv, usage, ksn, key, padding} = part.explanation;
  const chain = iv === undefined ? '' : /^0*$/.test(iv) ? ', zero IV' : `, IV ${iv}`;
  return (
    <>
      <span>
        {scheme === 'working' ? usage : scheme.toUpperCase()} {mode.toUpperCase()}
        {chain}
      </span>
      {scheme !== 'working' && (
        <span>
          {scheme === 'tdes' ? 'variant' : 'usage'} {usage}
        </span>
      )}
      {ksn && <span class="mono key">KSN {ksn.text}</span>}
      <span>
        {key.name ?? 'key'}, check value <span class="mono key">{key.kcv}</span>
      </span>
      <span class="quiet">padding {padding}</span>
    </>
  );
}

/** Characters of a value; the grid has all of a longer one. */
const MAX_VALUE_CHARS = 4096;

function Meaning({field, fields, reveal}: Omit<StripProps, 'exploration' | 'cursor'>) {
  const whole = shownAs(field.value, reveal);
  const value = oneLine(whole.slice(0, MAX_VALUE_CHARS));
  const more = whole.length - MAX_VALUE_CHARS;
  const meaning = oneLine(shownAs(field.meaning, reveal));
  const bits = fields.filter(({parent, kind}) => parent === field.id && kind === 'bit');
  if (value === '' && meaning === '' && !field.check) return null;
  return (
    <div class="more" tabIndex={0} role="group" aria-label="Value">
      <span class="mono wrap">{value}</span>{' '}
      {more > 0 && <span class="quiet">and {more.toLocaleString('en')} more characters</span>}{' '}
      {bits.length === 0 && meaning}{' '}
      {field.check && <span class={field.check.ok ? 'ok' : 'bad'}>{field.check.text}</span>}
      {bits.length > 0 && <Bits bits={bits} />}
    </div>
  );
}

/** Every bit of a field, set or not, in columns. */
function Bits({bits}: {readonly bits: readonly Field[]}) {
  return (
    <ul class="bits" aria-label="Bits">
      {bits.map(({id, name, value, meaning, isSet}) => (
        <li key={id} class={isSet === false ? 'quiet' : ''}>
          <span class="mono">{name.clear}</span> <b class="mono">{value.clear}</b> {meaning.clear}
        </li>
      ))}
    </ul>
  );
}

interface OpenedProps {
  readonly part: OpenedPart;
  readonly reveal: boolean;
}

/** How a field was decrypted: the derived keys, and ciphertext next to plaintext. */
function OpenedDetail({part, reveal}: OpenedProps) {
  return (
    <div class="more" tabIndex={0} role="group" aria-label="Ciphertext and plaintext">
      <Derivation steps={part.steps} />
      <Blocks {...{part, reveal}} />
      <p class="quiet">Proved by {part.explanation.facts.join(', ')}.</p>
    </div>
  );
}

/** The bytes of the keys are shown when asked for, and hidden again with the next field. */
function Derivation({steps}: {readonly steps: readonly Step[]}) {
  const [isShown, setShown] = useState(false);
  return (
    <div class="derivation">
      <ol class="steps" aria-label="Derivation">
        {steps.map(({name, kcv, key, how}) => (
          <li key={name} aria-label={`${name}, check value ${kcv}`}>
            {name} <span class="mono key">{kcv}</span>{' '}
            {how !== undefined && <span class="quiet">{how}</span>}
            {isShown && <span class="mono key wrap"> {upperHexOf(key.reveal())}</span>}
          </li>
        ))}
      </ol>
      <Button class="link" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        Show key bytes
      </Button>
    </div>
  );
}

function Blocks({part: {ciphertext, blockSize, plaintext}, reveal}: OpenedProps) {
  const count = Math.ceil(ciphertext.length / blockSize);
  const starts = Array.from({length: count}, (_, i) => i * blockSize);
  const isHidden = (i: number) => plaintext.hidden[i] === 1 && !reveal;
  const line = (bytes: Uint8Array, start: number, show: (byte: number, i: number) => string) => {
    const block = bytes.subarray(start, start + blockSize);
    return Array.from(block, (byte, i) => show(byte, start + i)).join(' ');
  };
  const hex = (byte: number, i: number) => (isHidden(i) ? '**' : hexOfCell(byte));
  const text = (byte: number, i: number) => `${isHidden(i) ? '*' : textOfCell(byte)} `;
  return (
    <ol class="blocks mono" aria-label="Blocks: encrypted, decrypted, text">
      {starts.map((start) => (
        <li key={start}>
          <div class="v-encrypted">{line(ciphertext, start, hexOfCell)}</div>
          <div class="v-card dec">{line(plaintext.bytes, start, hex)}</div>
          <div class="v-card">{line(plaintext.bytes, start, text)}</div>
        </li>
      ))}
    </ol>
  );
}
