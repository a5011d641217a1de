import {upperHexOf} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';

/** The values of these tags, in upper-case hex: the KSNs of a list, those of PIN and MAC included. */
export function ksnsIn(all: readonly TlvObject[], tags: ReadonlySet<string>): string[] {
  return all
    .filter(({tag, value}) => tags.has(tag) && value.length > 0)
    .map(({value}) => upperHexOf(value));
}
