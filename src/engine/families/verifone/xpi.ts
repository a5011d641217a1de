import {PaylensError} from '../../../contract/paylens-error.js';
import {
  bytesFromBase64,
  bytesFromHex,
  isHex,
  latin1Of,
  upperHexOf,
} from '../../../platform/bytes.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import type {CardContent} from '../../card/card-content.js';
import {refuseClearPan} from '../../card/clear-tags.js';
import {onlyObject} from '../../forms/one-read.js';
import {type Body, bodyOf, readTlvBody} from '../../forms/tlv/tlv-body.js';
import {readTlvForm} from '../../forms/tlv/tlv-form.js';
import type {Reading} from '../../reading.js';
import {flatten, readTlv, type TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {blockField, verifoneMode} from './blocks.js';
import {
  ENCRYPTIONS,
  STATUSES,
  VERIFONE_TAGS,
  VSD,
  XPI,
  XPI_CLOSED_SCHEMES,
  XPI_DATA_TYPES,
} from './layout.js';
import {noteRefusedFields, readVsdFields, readXpiMessage} from './message.js';

/** The start of every VSD blob: DF90. */
const BASE64_START = /^\s*3\s*5\s*[A-D]/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** True if `payload` is just a blob in base64. */
export function isBase64Blob(payload: string): boolean {
  if (!BASE64_START.test(payload)) return false;
  const compact = payload.replaceAll(/\s/g, '');
  return BASE64.test(compact) && !isHex(compact);
}

/** Reads a bare blob in base64. Throws 2102 if it is truncated, otherwise as readBlob. */
export function readBase64Blob(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  return readBlob('XPI blob, base64', base64Body(payload, 0, trace), undefined, trace);
}

/**
 * Reads message E07 (docs/terminals/verifone.md#xpi). Throws 2100 if its status reports that
 * encryption failed, otherwise as readXpiMessage, readVsdFields and readBlob.
 */
export function readE07(payload: string, trace: Trace): Reading {
  const {status, encryption, body} = readXpiMessage(payload, trace);
  const form = 'XPI message E07';
  const refusal = refusalByStatus(status, encryption);
  if (!refusal) {
    const {dataType, blob, offset} = readVsdFields(body);
    return readBlob(form, base64Body(blob, offset, trace), dataType, trace);
  }
  noteRefusedFields(body);
  return {form, candidates: [[]], refusal};
}

/**
 * Reads the TLV blob of XPI: DF9020 under the KSN in DF9021 and the IV in DF9022. A blob without
 * these is in a closed scheme (2111).
 *
 * Throws 2100 and 2102 if it is not valid TLV or the ciphertext is not whole blocks.
 */
export function readBlob(
  form: string,
  body: Body,
  dataType: string | undefined,
  trace: Trace,
): Reading {
  const notes = {...XPI.notes, names: VERIFONE_TAGS};
  const {all, extras} = readTlvForm(XPI, readTlvBody(body, trace, notes));
  const {masked, undeclared} = extras;
  const find = (tag: string) => onlyObject(all, tag);
  const own = latin1Of(find('DF9009')?.value ?? NO_VALUE);
  const refusal = own === '' ? undefined : refusalByStatus('00', own);
  if (refusal) return {form, undeclared, candidates: [[]], refusal};
  const [object, ksn] = [find('DF9020'), find('DF9021')];
  if (!object || !ksn) return {form, undeclared, candidates: [[]], refusal: closedScheme(body)};
  const field = blockField({object, ksn, iv: find('DF9022')}, masked, trace.unit);
  const stated = upperHexOf(find('DF9001')?.value.subarray(-1) ?? NO_VALUE);
  const kind = XPI_DATA_TYPES[dataType ?? stated];
  return {
    form,
    mode: (content) => xpiMode(content, kind),
    // In base64 the header has no whole number of characters.
    candidates: [[{...field, offset: object.offset}]],
    masked,
    undeclared,
    encoding: trace.unit === 'character' ? 'base64' : 'hex',
  };
}

const NO_VALUE = new Uint8Array();

/** EMV responses C31 and C30 are cleartext: refused, whether or not they contain a card. */
export function refuseClearMessage(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const {length} = payload;
  const name = 'XPI EMV message';
  trace.note({offset: 0, length, depth: 0, name, value: payload, sensitivity: 'card'});
  const start = payload.search(/C3[01]/) + NAME_AND_STATUS;
  const refusal =
    refuseClearPan(flatten(walkClear(payload.slice(start)))) ??
    new PaylensError(2100, 'an XPI message C30 or C31: expected E07, which contains the card data');
  return {form: 'XPI message C31', candidates: [[]], refusal};
}

/** `C31` and two digits. */
const NAME_AND_STATUS = 5;

/** Two bytes of length, big-endian, then TLV of that length, in binary or in hex. */
function walkClear(text: string): readonly TlvObject[] {
  const [hex = ''] = /^[0-9a-f]*/i.exec(text) ?? [];
  const binary = Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
  const bytes = bytesFromHex(hex.length < text.length / 2 ? '-' : hex) ?? binary;
  const length = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  return unlessThrown(() => readTlv(bytes.subarray(2, 2 + length)).objects) ?? [];
}

function base64Body(text: string, offset: number, trace: Trace): Body {
  const compact = text.replaceAll(/\s/g, '');
  if (!BASE64.test(compact)) {
    throw new PaylensError(2100, `${trace.unit} ${offset}: expected a blob in base64`);
  }
  // Some integrators strip the padding.
  const bytes = bytesFromBase64(compact.padEnd(Math.ceil(compact.length / 4) * 4, '='));
  if (bytes) return bodyOf(bytes, offset, text.length);
  trace.cut(new PaylensError(2102, `base64 at ${trace.unit} ${offset}: truncated`));
  const whole = compact.slice(0, -(compact.length % 4) || undefined);
  return bodyOf(bytesFromBase64(whole) ?? NO_VALUE, offset, whole.length);
}

function refusalByStatus(status: string, encryption: string): PaylensError | undefined {
  if (status !== '00' && status !== '01') {
    throw new PaylensError(2100, `status ${status}: ${STATUSES[status] ?? 'not known'}`);
  }
  if (status === '01' || encryption === '00') {
    return new PaylensError(2110, `status ${status}, encryption type ${encryption}: cleartext`);
  }
  if ((VSD as readonly string[]).includes(encryption)) return undefined;
  return new PaylensError(2111, ENCRYPTIONS[encryption] ?? `encryption type ${encryption}`);
}

function closedScheme({bytes}: Body): PaylensError {
  const text = latin1Of(bytes);
  const known = XPI_CLOSED_SCHEMES.find(({sign}) => sign.test(text));
  const detail = known?.name ?? 'no DF9020 with a DF9021: not VSD';
  return new PaylensError(2111, detail);
}

/** The entry mode; keyed entry has no tag of its own in a blob with 5A. */
function xpiMode(content: CardContent, kind: string | undefined) {
  const mode = verifoneMode(content);
  return mode === 'emv' && kind === XPI_DATA_TYPES['03'] ? 'keyed' : mode;
}
