import {PaylensError} from '../../../contract/paylens-error.js';
import type {Mode} from '../../../contract/process-payload.js';
import {isSameBytes, upperHexOf} from '../../../platform/bytes.js';
import {type CardContent, modeOf} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {clearBeside, numbersBeside, refuseClearPan} from '../../card/clear-tags.js';
import {Evidence} from '../../card/evidence.js';
import {demandMaskedPans, type MaskedPan} from '../../card/masked-pans.js';
import {demandBlocks} from '../../cipher/block-cipher.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {ksnsIn} from '../shared/ksns-in.js';
import {NAD, readLinkFrames, STATUS_OK} from '../shared/link-frame.js';
import {demandOneForm} from '../shared/one-form.js';
import {CLEAR_TAGS, demandOnce, severalReads} from '../shared/one-read.js';
import {payloadBytes} from '../shared/payload-bytes.js';
import {pinsIn} from '../shared/pins-in.js';
import {posEntryMode} from '../shared/pos-entry-mode.js';
import {serialTag} from '../shared/tag-values.js';
import {bodyOf, readTlvBody} from '../shared/tlv-body.js';
import {KSN_TAGS, MAX_BLOBS, MIURA_TAG_KINDS, MIURA_TAGS, TAG} from './layout.js';

/** The objects of a payload, whichever framing it had. */
interface Content {
  readonly form: string;
  readonly objects: readonly TlvObject[];
  /** SW1 SW2 of the last response; without link frames: success. */
  readonly status: string;
}

/**
 * Reads a template, its tags without one, or the link frames around it
 * (docs/formats/miura.md#payload-shapes).
 *
 * Throws 2100 if it is not TLV or contains no card data, 2101 if an LRC does not match, 2102 if it
 * ends too early or a blob is not whole blocks.
 */
export function readMiura(payload: string, trace: Trace): Reading {
  const {form, objects, status} = readContent(payloadBytes(payload), trace);
  const all = flatten(objects);
  demandOneForm(all, 'Miura');
  demandOneRead(objects, all);
  const masked = numbersBeside(all, COPY_TAGS);
  const fields = fieldsOf(all, masked);
  const serial = serialTag(all);
  const refusal = fields.length > 0 ? undefined : refusalOf(all, status);
  return {
    form,
    mode: miuraMode(all),
    ...(serial === undefined ? {} : {serial}),
    candidates: [fields],
    clear: clearBeside(all),
    masked,
    ksns: ksnsIn(all, KSN_TAGS),
    pins: pinsIn(all, {block: TAG.pinBlock, ksn: TAG.pinKsn}),
    ...(refusal ? {refusal} : {}),
  };
}

function readContent(bytes: Uint8Array, trace: Trace): Content {
  const names = {names: MIURA_TAGS, kinds: MIURA_TAG_KINDS};
  if (bytes[0] !== NAD) {
    const objects = readTlvBody(bodyOf(bytes), trace, names);
    const isTemplate = objects[0]?.children !== undefined;
    return {form: isTemplate ? 'template' : 'tags without template', objects, status: STATUS_OK};
  }
  const messages = readLinkFrames(bytes, trace);
  return {
    form: 'link frames',
    objects: messages.flatMap(({body}) => readTlvBody(body, trace, names)),
    status: messages.at(-1)?.status ?? STATUS_OK,
  };
}

/**
 * One message may contain several blobs of a card, each with its KSN. A second template with other
 * blobs, or an extra KSN, means a second read. Throws 2100.
 */
function demandOneRead(objects: readonly TlvObject[], all: readonly TlvObject[]): void {
  demandOnce(all, READ_TAGS);
  const isBlob = ({tag, value}: TlvObject) => tag === TAG.sredData && value.length > 0;
  const reads = objects.filter(({children = []}) => flatten(children).some(isBlob));
  const [first, ...others] = reads;
  const second = others.find(({value}) => first && !isSameBytes(value, first.value));
  if (first && second) {
    throw severalReads(
      `templates ${first.tag} at ${first.offset} and ${second.tag} at ${second.offset}: two reads`,
    );
  }
  demandNoneOutside(objects, reads, isBlob);
  const blobs = all.filter(isBlob).length;
  const ksns = all.filter(({tag, value}) => tag === TAG.sredKsn && value.length > 0);
  const changes = ksns.filter(
    ({value}, i) => i === 0 || !isSameBytes(value, ksns[i - 1]?.value ?? value),
  );
  if (blobs === 0 || changes.length <= blobs) return;
  throw severalReads(
    `${TAG.sredKsn}: expected one for each ${TAG.sredData}, found ${changes.length} for ${blobs}`,
  );
}

/** A blob beside the template with those of the read belongs to another one. Throws 2100. */
function demandNoneOutside(
  objects: readonly TlvObject[],
  [read]: readonly TlvObject[],
  isBlob: (object: TlvObject) => boolean,
): void {
  if (!read) return;
  const own = flatten(read.children ?? []).filter(isBlob);
  const outside = objects.filter(isBlob);
  const other = outside.find(({value}) => own.every((blob) => !isSameBytes(blob.value, value)));
  if (!other) return;
  throw severalReads(
    `tag ${other.tag} at ${other.offset}, outside template ${read.tag} at ${read.offset}: two reads`,
  );
}

const READ_TAGS = new Set([
  ...[TAG.maskedTrack2, TAG.maskedEquivalent, TAG.maskedPan, '9F1E'],
  ...CLEAR_TAGS,
]);

/** Every blob with the KSN that follows it, or the KSN before it if none follows. */
function fieldsOf(all: readonly TlvObject[], copies: readonly MaskedPan[]): EncryptedField[] {
  const isBlob = ({tag, value}: TlvObject) => tag === TAG.sredData && value.length > 0;
  const isKsn = ({tag, value}: TlvObject) => tag === TAG.sredKsn && value.length > 0;
  const count = all.filter(isBlob).length;
  if (count > MAX_BLOBS) {
    throw new PaylensError(2100, `${TAG.sredData}: expected at most ${MAX_BLOBS}, found ${count}`);
  }
  return all.flatMap((object, i) => {
    if (!isBlob(object)) return [];
    const ksn = all.slice(i).find(isKsn) ?? all.slice(0, i).findLast(isKsn);
    return [fieldOf(object, ksn, copies)];
  });
}

function fieldOf(
  {value, offset, headerLength}: TlvObject,
  ksn: TlvObject | undefined,
  copies: readonly MaskedPan[],
): EncryptedField {
  const name = `tag ${TAG.sredData}`;
  demandBlocks(`${name} at byte ${offset}`, value);
  return {
    name,
    offset: offset + headerLength,
    ciphertext: value,
    ...(ksn ? {ksn: upperHexOf(ksn.value)} : {}),
    setting: CARD_DATA_SETTING,
    open: (plain) => openBlob(name, plain, copies),
  };
}

function openBlob(name: string, plain: Uint8Array, copies: readonly MaskedPan[]): CardContent {
  const evidence = new Evidence();
  const content = readCardTlv(name, plain, evidence);
  demandMaskedPans(name, copies, content, evidence);
  evidence.demand(name, 'A masked copy (DFAE57, DFAE5A, DFAE22)');
  return {...content, facts: evidence.facts, bits: evidence.bits};
}

const COPY_TAGS = {
  packed: new Set<string>([TAG.maskedEquivalent, TAG.maskedPan]),
  text: new Set<string>([TAG.maskedTrack2]),
};

/** Clear card data is refused; a payload without any card data is not recognised (2100). */
function refusalOf(all: readonly TlvObject[], status: string): PaylensError {
  if (status !== STATUS_OK) {
    throw new PaylensError(2100, `status word ${status} and no card data: the command failed`);
  }
  const refusal = refuseClearPan(all);
  if (refusal) return refusal;
  throw new PaylensError(2100, `expected tag ${TAG.sredData}, found none in ${all.length} objects`);
}

/**
 * 5F21 to 5F23 are swiped; 57 is EMV unless 9F39 indicates magstripe mode; 5A without 9F39 is
 * keyed; 56 and 9F6B are magstripe mode.
 */
function miuraMode(outer: readonly TlvObject[]): (content: CardContent) => Mode {
  return (content) => {
    const inner = content.tlv?.flatMap((list) => flatten(list.objects)) ?? [];
    const has = (...tags: string[]) => inner.some(({tag}) => tags.includes(tag));
    if (has(TAG.track1, TAG.track2, TAG.track3)) return 'swiped';
    if (has('57')) return posEntryMode(inner, outer);
    if (has('56', '9F6B')) return 'swiped';
    const isKeyed = has('5A') && ![...inner, ...outer].some(({tag}) => tag === '9F39');
    return isKeyed ? 'keyed' : modeOf(content);
  };
}
