import {PaylensError} from '../../../contract/paylens-error.js';
import type {Mode} from '../../../contract/process-payload.js';
import {isSameBytes} from '../../../platform/bytes.js';
import {type CardContent, modeOf} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {NAD, readLinkFrames, STATUS_OK} from '../../forms/link-frame.js';
import {severalReads} from '../../forms/one-read.js';
import {payloadBytes} from '../../forms/payload-bytes.js';
import {posEntryMode} from '../../forms/tlv/pos-entry-mode.js';
import {serialTag} from '../../forms/tlv/tag-values.js';
import {bodyOf, readTlvBody} from '../../forms/tlv/tlv-body.js';
import {type CipherObject, cipherField, noCipher, readTlvForm} from '../../forms/tlv/tlv-form.js';
import type {Reading} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {MIURA} from './layout.js';

/** The objects of a payload, whichever framing it had. */
interface Content {
  readonly form: string;
  readonly objects: readonly TlvObject[];
  /** SW1 SW2 of the last response; without link frames: success. */
  readonly status: string;
}

/**
 * Reads a template, its tags without one, or the link frames around it
 * (docs/terminals/miura.md#payload-shapes).
 *
 * Throws 2100 if it is not TLV or contains no card data, 2101 if an LRC does not match, 2102 if it
 * ends too early or a blob is not whole blocks.
 */
export function readMiura(payload: string, trace: Trace): Reading {
  const {form, objects, status} = readContent(payloadBytes(payload), trace);
  const {all, extras} = readTlvForm(MIURA, objects);
  assertOneTemplate(objects);
  const missing = 'A masked copy (DFAE57, DFAE5A, DFAE22)';
  const fields = blobsIn(all).map((blob) =>
    cipherField(blob, readCardTlv, {copies: extras.masked, missing}),
  );
  const serial = serialTag(all);
  const reading = {form, mode: miuraMode(all), candidates: [fields], serial, ...extras};
  if (fields.length > 0) return reading;
  if (status === STATUS_OK) return {...reading, refusal: noCipher(MIURA, all)};
  throw new PaylensError(2100, `status word ${status} and no card data: the command failed`);
}

function readContent(bytes: Uint8Array, trace: Trace): Content {
  if (bytes[0] !== NAD) {
    const objects = readTlvBody(bodyOf(bytes), trace, MIURA.notes);
    const isTemplate = objects[0]?.children !== undefined;
    return {form: isTemplate ? 'template' : 'tags without template', objects, status: STATUS_OK};
  }
  const messages = readLinkFrames(bytes, trace);
  return {
    form: 'link frames',
    objects: messages.flatMap(({body}) => readTlvBody(body, trace, MIURA.notes)),
    status: messages.at(-1)?.status ?? STATUS_OK,
  };
}

/** A second template with other blobs, or other blobs outside it, are a second read. Throws 2100. */
function assertOneTemplate(objects: readonly TlvObject[]): void {
  const [read, ...others] = objects.filter(({children = []}) => flatten(children).some(isSredBlob));
  if (!read) return;
  const where = `template ${read.tag} at ${read.offset}`;
  const second = others.find(({value}) => !isSameBytes(value, read.value));
  if (second) throw severalReads(`${where} and ${second.tag} at ${second.offset}: two reads`);
  const own = flatten(read.children ?? []).filter(isSredBlob);
  const outside = objects.find(
    (object) => isSredBlob(object) && own.every(({value}) => !isSameBytes(value, object.value)),
  );
  if (!outside) return;
  throw severalReads(`tag ${outside.tag} at ${outside.offset}, outside ${where}: two reads`);
}

function isSredBlob({tag, value}: TlvObject): boolean {
  return MIURA.tags.cipher.has(tag) && value.length > 0;
}

/** Terminals send one or two. */
const MAX_BLOBS = 32;

/**
 * Every blob with the KSN that follows it, or the KSN before it if none follows. Throws 2100 if
 * there are more KSNs than blobs, which means another read, or more blobs than a payload has.
 */
function blobsIn(all: readonly TlvObject[]): CipherObject[] {
  const count = all.filter(isSredBlob).length;
  if (count > MAX_BLOBS)
    throw new PaylensError(2100, `DFAE02: expected at most ${MAX_BLOBS}, found ${count}`);
  const ksns = all.filter(({tag, value}) => MIURA.tags.ksn.has(tag) && value.length > 0);
  const changes = ksns.filter((ksn, i) => !isSameBytes(ksn.value, ksns[i - 1]?.value ?? NO_BYTES));
  const why = `DFAE03: expected one for each DFAE02, found ${changes.length} for ${count}`;
  if (count > 0 && changes.length > count) throw severalReads(why);
  return all.filter(isSredBlob).map((object) => {
    const after = ksns.find(({offset}) => offset > object.offset);
    return {object, ksn: after ?? ksns.at(-1)};
  });
}

const NO_BYTES = new Uint8Array();

/**
 * 5F21 to 5F23 are swiped; 57 is EMV unless 9F39 indicates magstripe mode; 5A without 9F39 is
 * keyed; 56 and 9F6B are magstripe mode.
 */
function miuraMode(outer: readonly TlvObject[]): (content: CardContent) => Mode {
  return (content) => {
    const inner = content.tlv?.flatMap((list) => flatten(list.objects)) ?? [];
    const has = (...tags: string[]) => inner.some(({tag}) => tags.includes(tag));
    if (has('5F21', '5F22', '5F23')) return 'swiped';
    if (has('57')) return posEntryMode(inner, outer);
    if (has('56', '9F6B')) return 'swiped';
    const isKeyed = has('5A') && ![...inner, ...outer].some(({tag}) => tag === '9F39');
    return isKeyed ? 'keyed' : modeOf(content);
  };
}
