import {useState} from 'preact/hooks';
import type {WireMessage} from '../../contract/control/inspected-request.js';
import {textOfCell} from '../../engine/inspection/cells.js';
import {bytesFromBase64, bytesFromUtf8, concatBytes, hexByte} from '../../platform/bytes.js';
import {isNarrow} from '../hooks/use-narrow.js';
import {oneLine} from '../model/shown.js';
import {clipped} from './request-grid.js';

interface MessageProps {
  /** Absent: the request. */
  readonly title?: string;
  readonly message: WireMessage;
  readonly reveal: boolean;
}

/** A request or response as it went over the wire: headers, body, and on demand its bytes. */
export function WireView({title = '', message, reveal}: MessageProps) {
  const {line, headers, bodyBase64} = message;
  const body = bodyIn(message, reveal);
  return (
    <section>
      <h3>{title || 'Headers'}</h3>
      {line === '' && <p class="quiet">Answered within this server: nothing went over a wire.</p>}
      {line !== '' && <p class="mono start">{oneLine(line)}</p>}
      <dl class="headers mono">
        {headers.map(([name, value], i) => (
          <div key={i}>
            <dt>{clipped(name)}</dt>
            <dd>{oneLine(value)}</dd>
          </div>
        ))}
      </dl>
      {!title && (body !== '' || bodyBase64) && <h3>Body</h3>}
      {body !== '' && <pre class="quoted mono">{lines(body)}</pre>}
      {bodyBase64 !== undefined && <p class="quiet">This body is no UTF-8: see its bytes.</p>}
      <Bytes {...{message, body}} />
    </section>
  );
}

/** The whole message byte by byte, with its line ends; made when it is unfolded. */
function Bytes({message, body}: {readonly message: WireMessage; readonly body: string}) {
  const [isOpen, setOpen] = useState(false);
  const bytes = bytesOf(message, body);
  return (
    <details onToggle={({currentTarget}) => setOpen(currentTarget.open)}>
      <summary class="quiet">{bytes.length.toLocaleString('en')} bytes as sent</summary>
      {isOpen && <pre class="quoted mono dump">{dumpOf(bytes)}</pre>}
    </details>
  );
}

function bytesOf({line, headers, bodyBase64}: WireMessage, body: string): Uint8Array {
  const all = [line, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  const head = line === '' ? '' : all.join('\r\n');
  const sent = bodyBase64 === undefined ? bytesFromUtf8(body) : bytesFromBase64(bodyBase64);
  return concatBytes(bytesFromUtf8(head), sent ?? new Uint8Array());
}

/** Rows of offset, hex and text. */
function dumpOf(bytes: Uint8Array): string {
  const width = isNarrow() ? 8 : 16;
  const rows = Array.from({length: Math.ceil(bytes.length / width)}, (_, i) => {
    const row = [...bytes.subarray(i * width, (i + 1) * width)];
    const offset = (i * width).toString(16).toUpperCase().padStart(4, '0');
    const hex = row
      .map(hexByte)
      .join(' ')
      .padEnd(3 * width);
    return `${offset}  ${hex} ${row.map(textOfCell).join('')}`;
  });
  return rows.join('\n');
}

/** A body as text; the switch shows what asterisks stand for. */
function bodyIn({body = '', hidden = []}: WireMessage, reveal: boolean): string {
  if (!reveal) return body;
  let [clear, end] = ['', 0];
  for (const [at, stars, text] of hidden) {
    clear += body.slice(end, at) + text;
    end = at + stars;
  }
  return clear + body.slice(end);
}

/** Line ends and tabs stay what they are in a body. */
function lines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, i) => (i % 2 === 1 ? part : oneLine(part)))
    .join('');
}
