import {upperHexOf} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';

/**
 * The values of these tags in upper-case hex: the KSNs of a list, including those of PIN and MAC.
 */
export function ksnsIn(all: readonly TlvObject[], tags: ReadonlySet<string>): string[] {
  return all
    .filter(({tag, value}) => tags.has(tag) && value.length > 0)
    .map(({value}) => upperHexOf(value));
}
