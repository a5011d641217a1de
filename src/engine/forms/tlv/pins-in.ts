import {upperHexOf} from '../../../platform/bytes.js';
import type {PinBlock} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';

/**
 * The PIN blocks of a list, in the objects of one tag, under the KSN in another: every pair of them,
 * since nothing but their number says which belong together.
 */
export function pinsIn(
  all: readonly TlvObject[],
  tags: {readonly block: string; readonly ksn: string},
): PinBlock[] {
  const ksns = valued(all, tags.ksn).map(({value}) => upperHexOf(value));
  return valued(all, tags.block).flatMap((object) => {
    const block = blockOf(object);
    return ksns.length === 0 ? [block] : ksns.map((ksn) => ({ksn, ...block}));
  });
}

/** Bytes of the block in tag 99 by those of the whole value: its KSN follows it. */
const JOINED_BLOCK_BYTES: Readonly<Partial<Record<number, number>>> = {
  18: 8,
  20: 8,
  26: 16,
  28: 16,
};

/** The PIN blocks of a list in tag 99, each followed by its KSN. */
export function joinedPinsIn(all: readonly TlvObject[]): PinBlock[] {
  return valued(all, '99').map((object) => {
    const block = blockOf(object);
    const end = JOINED_BLOCK_BYTES[object.value.length];
    if (end === undefined) return block;
    const ksn = upperHexOf(object.value.subarray(end));
    return {...block, ciphertext: object.value.subarray(0, end), ksn};
  });
}

function blockOf({tag, value, offset, headerLength}: TlvObject): PinBlock {
  return {name: `tag ${tag}`, offset: offset + headerLength, ciphertext: value};
}

/** Terminals fill the tags of a PIN that was not entered with zeros. */
function valued(all: readonly TlvObject[], wanted: string): TlvObject[] {
  return all.filter(({tag, value}) => tag === wanted && value.some((byte) => byte !== 0));
}
