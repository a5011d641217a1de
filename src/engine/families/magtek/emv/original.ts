import type {CardContent} from '../../../card/card-content.js';
import {readCardTlv} from '../../../card/card-tlv.js';
import {Evidence, notCardData} from '../../../card/evidence.js';
import {assertMaskedPans, type MaskedPan} from '../../../card/masked-pans.js';
import {severalReads} from '../../../forms/one-read.js';
import type {EncryptedField, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import type {Trace} from '../../../trace.js';
import {maskedCopies, openTrack} from '../swipe/open-track.js';
import {maskedTracksOf} from '../swipe/template.js';
import {MAGTEK, readTemplate, TAG} from '../tags.js';
import {cipherOf, emvReading} from './emv-reading.js';

/** The tag that each encrypted tag of the original format contains, as a whole object. */
export const ORIGINAL_TAGS: Readonly<Record<string, string>> = {
  ...{DF30: '56', DF31: '57', DF32: '5A', DF35: '9F1F', DF36: '9F20', DF37: '9F61'},
  ...{DF38: '9F62', DF39: 'DF812A', DF3A: 'DF812B', DF3B: 'DFDF4A'},
};

/** Contains the value of DFDF4A alone. */
const TRACK_ALONE = 'DF40';

/** True for a request or batch data of the original format. */
export function isOriginal(bytes: Uint8Array): boolean {
  return bytes[0] === 0xfd || bytes[0] === 0xfe;
}

/**
 * Reads a container of the original format, in which every tag is encrypted on its own
 * (docs/terminals/magtek.md#the-original-format). Throws 2102 if it ends too early, and as emvReading
 * does.
 */
export function readOriginal(bytes: Uint8Array, base: number, trace: Trace): Reading {
  const notes = {...MAGTEK.notes, names: {...MAGTEK.names, ...NAMES}, isCiphertext};
  const objects = readTemplate(bytes, base, trace, notes);
  return emvReading('container, original format', objects, originalFields);
}

const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(ORIGINAL_TAGS).map(([tag, inside]) => [tag, `tag ${inside}, encrypted`]),
  [TRACK_ALONE, 'value of tag DFDF4A, encrypted'],
]);

function isCiphertext({tag}: TlvObject): boolean {
  return NAMES[tag] !== undefined;
}

function originalFields(all: readonly TlvObject[]): EncryptedField[] {
  const encrypted = flatten(all.find(({tag}) => tag === TAG.encrypted)?.children ?? []);
  const copies = maskedCopies(maskedTracksOf(all));
  const seen = new Set<string>();
  return encrypted.filter(isCiphertext).flatMap((object) => {
    const {tag, value, offset} = object;
    if (value.length === 0) return [];
    if (seen.has(tag)) throw severalReads(`tag ${tag} at ${offset}: given twice`);
    seen.add(tag);
    const cipher = cipherOf(object, all, {ksn: TAG.dataKsn, type: TAG.dataType});
    return [{...cipher, open: (plain) => openTag(tag, plain, copies)}];
  });
}

/** Tags that are accepted only with enough evidence: the response is made of them. */
const CARD_TAGS: ReadonlySet<string> = new Set(['56', '57', '5A', 'DFDF4A']);

/** The plaintext is one object of the tag that belongs there, then zeros. Throws 2601. */
function openTag(outer: string, plain: Uint8Array, copies: readonly MaskedPan[]): CardContent {
  const name = `tag ${outer}`;
  if (outer === TRACK_ALONE) return openTrack(2, plain, copies);
  const evidence = new Evidence();
  const content = readCardTlv(name, plain, evidence, ['zero']);
  const [object, other] = content.tlv?.[0]?.objects ?? [];
  const expected = ORIGINAL_TAGS[outer];
  if (!object || other || object.tag !== expected)
    throw notCardData(name, `expected tag ${expected}`);
  evidence.add('other', `tag ${expected} where it belongs`, 4 * object.tag.length);
  const track = object.tag === 'DFDF4A' ? openTrack(2, object.value, copies) : {};
  const found = {...content, ...track};
  assertMaskedPans(name, copies, found, evidence);
  if (CARD_TAGS.has(object.tag)) evidence.assertEnough(name, 'A masked copy (DFDF4D)');
  return {...found, facts: evidence.facts, bits: evidence.bits};
}
