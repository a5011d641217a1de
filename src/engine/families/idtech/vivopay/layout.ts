import {latin1Of} from '../../../../platform/bytes.js';
import type {Signs} from '../../../forms/signs.js';
import {tlvForm} from '../../../forms/tlv/tlv-form.js';

/** ID TECH's own tags (80000503-001, TLV Tag Reference Guide; docs/terminals/idtech.md#tags). */
export const VIVOPAY = tlvForm('ViVOpay', {
  DFEE12: ['KSN', 'ksn'],
  FFEE12: ['KSN (first NEO generation)', 'ksn'],
  DFEE23: 'swipe frame',
  DFEE25: 'result code',
  DFEE26: 'encryption information',
  DFEF4B: 'DFEF4D setting',
  DFEF4C: ['lengths of track 1, 2, 3 and PAN in DFEF4D', 'opaque'],
  DFEF4D: ['tracks and PAN, encrypted as one', 'card'],
  DFEF5B: ['PAN, masked', 'masked'],
  DFEF5D: ['track 2 equivalent, masked', 'masked'],
  DFEF17: ['track 1 (magstripe mode)', 'card'],
  DFEF18: ['track 2 (magstripe mode)', 'card'],
  FFEE13: ['contactless track 1', 'card'],
  FFEE14: ['contactless track 2', 'card'],
  FFEE01: 'group of contactless data',
  FF8105: 'data record',
  FF8106: 'discretionary data',
  DFEE31: ['track 1 discretionary data', 'card'],
  DFEE32: ['track 2 discretionary data', 'card'],
  DF31: ['track 1 data', 'card'],
  DF32: ['track 2 data', 'card'],
  DF812A: ['track 1 discretionary data (kernel 2)', 'card'],
  DF812B: ['track 2 discretionary data (kernel 2)', 'card'],
  DF8115: 'error indication',
  DF8116: ['user interface request data', 'opaque'],
  DF8129: ['outcome parameter set', 'opaque'],
  DFEE00: 'transaction status',
  DFEE04: 'transaction data',
  DFEF57: ['firmware version', 'opaque'],
  DFEC18: ['kernel version', 'opaque'],
  DFEE1D: 'mask settings',
  DFEF1A: 'transaction setting',
  DFED28: 'transaction setting',
});

/** Names of ID TECH's own tags; EMV tags are named elsewhere. */
export const IDTECH_TAGS = VIVOPAY.names;

/** The name at the start of a message looks like an object of this tag. */
const NAME_TAG = '56';
const MESSAGE_NAME = /^VO(?:tech2|payV3)\0/;

/** KSN, swipe frame and joined tracks, and the beginning of a message. */
export const VIVOPAY_SIGNS: Signs = {
  tags: new Set(['DFEE12', 'FFEE12', 'DFEE23', 'DFEF4D', NAME_TAG]),
  isSign: ({tag, value}) =>
    tag === NAME_TAG ? MESSAGE_NAME.test(latin1Of(value)) : value.length > 0,
};

/** Tags whose value is a magnetic stripe track, with its track number. */
export const IDTECH_TRACK_TAGS: Readonly<Record<string, 1 | 2>> = {
  DFEF17: 1,
  DFEF18: 2,
  FFEE13: 1,
  FFEE14: 2,
};
