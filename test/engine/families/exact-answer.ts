import {PaylensError} from '../../../src/contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../../src/engine/families/registry.js';
import type {EncryptedField, Reading} from '../../../src/engine/reading.js';
import {Trace} from '../../../src/engine/trace.js';
import {latin1Of} from '../../../src/platform/bytes.js';

/** A payload with the exact reading of it, and plaintexts with the exact content of each. */
export interface ExactCase {
  readonly type: string;
  readonly payload: string;
  readonly read: unknown;
  /** Names of the parts of the payload, with their place and meaning. */
  readonly parts: readonly string[];
  /** Plaintexts in hex, for the first field of the candidate. */
  readonly opens?: readonly {readonly plain: string; readonly content: unknown}[];
}

/** What a terminal reads in a payload: its reading, or code and detail of the error, and the parts. */
export function exactRead(type: string, payload: string): Pick<ExactCase, 'read' | 'parts'> {
  const terminal = KNOWN_TERMINALS.get(type);
  const silent = new Trace({recording: false});
  const read = exactly(() => plainReading(terminal.read(payload, silent)));
  const trace = new Trace();
  exactly(() => terminal.read(payload, trace));
  const parts = trace.parts.map(
    ({offset, length, name, meaning = '', sensitivity = ''}) =>
      `${offset}+${length} ${name}: ${meaning} ${sensitivity}`,
  );
  return {read, parts};
}

/** What the first field of a payload makes of a plaintext in hex. */
export function exactContent(type: string, payload: string, plain: string): unknown {
  const [[field] = []] = KNOWN_TERMINALS.get(type).read(payload, new Trace()).candidates;
  return exactly(() => field?.open(new Uint8Array(Buffer.from(plain, 'hex'))));
}

/** Without functions, as JSON has it; errors as code and detail. */
function exactly(run: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(run(), asText));
  } catch (error) {
    if (error instanceof PaylensError) return `${error.code} ${error.detail}`;
    throw error;
  }
}

function asText(_name: string, value: unknown): unknown {
  if (value instanceof PaylensError) return `${value.code} ${value.detail}`;
  return value instanceof Uint8Array ? latin1Of(value) : value;
}

/** Fields that differ only in their setting count once, with their settings. */
function plainReading({candidates, ...reading}: Reading): unknown {
  const [first = []] = candidates;
  const setting = ({setting: {algorithm, mode, variant, selfEncrypted}}: EncryptedField) =>
    [algorithm, mode, variant, selfEncrypted ? 'self-encrypted' : 'plain'].join(' ');
  const settings = candidates.map((fields) => fields.map(setting).join(', '));
  const fields = first.map(({setting: _setting, ciphertext, ...field}) => ({
    ...field,
    ciphertext: Buffer.from(ciphertext).toString('hex'),
  }));
  return {...reading, settings, fields};
}
