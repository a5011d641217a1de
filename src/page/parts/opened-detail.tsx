import {useState} from 'preact/hooks';
import {hexOfCell, textOfCell} from '../../engine/inspection/cells.js';
import {upperHexOf} from '../../platform/bytes.js';
import type {Step} from '../model/derivation.js';
import type {OpenedPart} from '../model/open-payload.js';

interface OpenedProps {
  readonly part: OpenedPart;
  readonly reveal: boolean;
}

/** How a field was decrypted: the derived keys, and ciphertext next to plaintext. */
export function OpenedDetail({part, reveal}: OpenedProps) {
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
      <button type="button" class="link" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        Show key bytes
      </button>
    </div>
  );
}

function Blocks({part: {ciphertext, blockSize, plaintext}, reveal}: OpenedProps) {
  const count = Math.ceil(ciphertext.length / blockSize);
  const starts = Array.from({length: count}, (_, i) => i * blockSize);
  const isHidden = (i: number) => plaintext.hidden[i] === 1 && !reveal;
  const line = (bytes: Uint8Array, start: number, show: (byte: number, i: number) => string) =>
    Array.from(bytes.subarray(start, start + blockSize), (byte, i) => show(byte, start + i)).join(
      ' ',
    );
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
