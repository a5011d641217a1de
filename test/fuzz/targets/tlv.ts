import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {flatten, readTlv, type TlvObject, writeTlv} from '../../../src/engine/tlv/ber.js';
import {noteFill, noteTlv} from '../../../src/engine/tlv/note-tlv.js';
import {Trace} from '../../../src/engine/trace.js';
import {demand, type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {kindOf, textOf} from './errors.js';

const SEEDS = [
  '5A0840128888888818815F2403280131',
  '57A1134012CCCCCCCC1881D2801201CCCCCCCCCCCCCC57C110000102030405060708090A0B0C0D0E0F',
  'E108E1065A0411223344009F1F023031',
  '70819F'.padEnd(400, '5A'),
  'DFEE12820014FFFF9876543210E00001FFFF9876543210E00001',
  'FF8105083F5A020102DF0100800000',
  '0000008000000000000000FF',
];

/** The list of TLV objects, with and without ID TECH's flags. */
export const tlvTarget: FuzzTarget = {
  name: 'tlv',
  seeds: () => SEEDS.map((hex) => [hex]),
  run: ([hex = '']) => {
    const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
    const answers = [false, true].map((idtechFlags) => read(bytes, idtechFlags));
    return {
      features: answers.flatMap(({features}) => features),
      answer: answers.map(({answer}) => answer).join('\n'),
    };
  },
};

function read(bytes: Uint8Array, idtechFlags: boolean) {
  const list = resultOrError(() => readTlv(bytes, {idtechFlags}));
  if (list instanceof PaylensError) return {features: [kindOf(list)], answer: textOf(list)};
  demandTiles(list.objects, bytes, 0, list.end);
  demandAllNoted(list.objects, bytes);
  for (const object of list.objects) demandRoundTrip(object, idtechFlags);
  const all = flatten(list.objects);
  const features = all.map(({flag, headerLength, children, value}) =>
    [idtechFlags, flag, headerLength, children?.length, Math.log2(value.length + 1) | 0].join(),
  );
  const shown = all.map(({tag, offset, value}) => `${tag}@${offset}:${value.length}`);
  return {features: features.map(shapeOf), answer: `${shown} ${list.end}`};
}

/** Objects follow each other with only zeros between them; children fill their parent. */
function demandTiles(
  objects: readonly TlvObject[],
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  let at = start;
  for (const {offset, headerLength, value, children} of objects) {
    demand(offset >= at, `the object at ${offset} begins behind the one before`);
    demand(isZero(bytes, at, offset), `only zeros stand before the object at ${offset}`);
    at = offset + headerLength + value.length;
    if (children) demandTiles(children, bytes, offset + headerLength, at);
  }
  demand(at <= end, 'the last object ends within the list');
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes.subarray(from, to).every((byte) => byte === 0);
}

function demandAllNoted(objects: readonly TlvObject[], bytes: Uint8Array): void {
  const trace = new Trace();
  noteTlv(trace, objects);
  noteFill(trace, bytes);
  const noted = trace.parts.reduce((sum, {length}) => sum + length, 0);
  demand(noted === bytes.length, `the parts cover ${noted} bytes of ${bytes.length}`);
}

/** A written object must parse to the same, with the shortest length. */
function demandRoundTrip({tag, value, flag}: TlvObject, idtechFlags: boolean): void {
  if (flag || value.length > 0xffff) return;
  // After the last object, 80 and zeros would be padding.
  const written = Buffer.concat([writeTlv(tag, value), writeTlv('5A', new Uint8Array([1]))]);
  const [again] = readTlv(written, {idtechFlags}).objects;
  demand(again?.tag === tag && Buffer.from(value).equals(again.value), `${tag} reads as written`);
}
