import {type CardContent, withEvidence} from '../../../card/card-content.js';
import {readCardTlv} from '../../../card/card-tlv.js';
import {Evidence, notCardData} from '../../../card/evidence.js';
import {assertMaskedPans, type MaskedPan} from '../../../card/masked-pans.js';
import {severalReads} from '../../../forms/one-read.js';
import type {EncryptedField, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import type {Trace} from '../../../trace.js';
import {maskedCopies, openMaskedTrack} from '../swipe/open-track.js';
import {maskedTracksOf} from '../swipe/template.js';
import {MAGTEK, readTemplate, TAG} from '../tags.js';
import {cipherTerms, emvReading} from './emv-reading.js';

/** The tag that each encrypted tag of the original format contains, as a whole object. */
export const ORIGINAL_TAGS: Readonly<Record<string, string>> = {
  ...{DF30: '56', DF31: '57', DF32: '5A', DF35: '9F1F', DF36: '9F20', DF37: '9F61'},
  ...{DF38: '9F62', DF39: 'DF812A', DF3A: 'DF812B', DF3B: 'DFDF4A'},
};

/** Contains the value of DFDF4A alone. */
const VALUE_OF_TRACK = 'DF40';

const ENCRYPTED_NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(ORIGINAL_TAGS).map(([tag, inside]) => [tag, `tag ${inside}, encrypted`]),
  [VALUE_OF_TRACK, 'value of tag DFDF4A, encrypted'],
]);

/** Tags that are accepted only with enough evidence: the response is made of them. */
const PROVEN_TAGS: ReadonlySet<string> = new Set(['56', '57', '5A', 'DFDF4A']);

/** True for a request or batch data of the original format. */
export function isOriginal(bytes: Uint8Array): boolean {
  return bytes[0] === 0xfd || bytes[0] === 0xfe;
}

/**
 * Reads a container of the original format, in which every tag is encrypted on its own
 * (docs/terminals/magtek.md#the-original-format). Throws 2102 if it ends too early, and as emvReading
 * does.
 */
export function readOriginalContainer(bytes: Uint8Array, base: number, trace: Trace): Reading {
  const names = {...MAGTEK.names, ...ENCRYPTED_NAMES};
  const objects = readTemplate(bytes, base, trace, {...MAGTEK.notes, names, isCiphertext});
  return emvReading('container, original format', objects, originalFields);
}

function isCiphertext({tag}: TlvObject): boolean {
  return ENCRYPTED_NAMES[tag] !== undefined;
}

function originalFields(all: readonly TlvObject[]): EncryptedField[] {
  const encrypted = flatten(all.find(({tag}) => tag === TAG.encrypted)?.children ?? []);
  const fields = encrypted.filter((one) => isCiphertext(one) && one.value.length > 0);
  const tags = fields.map(({tag}) => tag);
  const twice = fields.find(({tag}, i) => tags.indexOf(tag) < i);
  if (twice) throw severalReads(`tag ${twice.tag} at ${twice.offset}: given twice`);
  const copies = maskedCopies(maskedTracksOf(all));
  return fields.map((object) => ({
    open: (plain) => openOriginalTag(object.tag, plain, copies),
    ...cipherTerms(object, all, {ksn: TAG.dataKsn, type: TAG.dataType}),
  }));
}

/** The plaintext is one object of the tag that belongs there, then zeros. Throws 2601. */
function openOriginalTag(
  outer: string,
  plain: Uint8Array,
  copies: readonly MaskedPan[],
): CardContent {
  const name = `tag ${outer}`;
  if (outer === VALUE_OF_TRACK) return openMaskedTrack(plain, {number: 2, copies});
  const evidence = new Evidence();
  const content = readCardTlv(name, plain, evidence, ['zero']);
  const [object, other] = content.tlv?.[0]?.objects ?? [];
  const expected = ORIGINAL_TAGS[outer];
  if (!object || other || object.tag !== expected)
    throw notCardData(name, `expected tag ${expected}`);
  evidence.add('other', `tag ${expected} where it belongs`, 4 * object.tag.length);
  const isTrack = object.tag === 'DFDF4A';
  const track = isTrack ? openMaskedTrack(object.value, {number: 2, copies}) : {};
  const found = Object.assign({}, content, track);
  assertMaskedPans(name, copies, found, evidence);
  if (PROVEN_TAGS.has(object.tag)) evidence.assertEnough(name, 'A masked copy (DFDF4D)');
  return withEvidence(found, evidence);
}
