import type {DeviceType} from '../../src/contract/device-types.js';
import {bbposMessage, hex, sredBlob, vipaBlock, withLrc, xpiBlob} from './blocks.js';
import {
  flagged,
  KSN,
  original,
  sealed,
  sha1,
  frame as swipeFrame,
} from './families/idtech-frames.js';
import {bytesOf, encrypt, tlv} from './terminal.js';

/** Payloads around any plaintext, one for every place where a terminal encrypts one. */
interface Carrier<Plain> {
  readonly type: DeviceType;
  readonly name: string;
  readonly carry: (plain: Plain) => string;
}

const sealedHex = (plain: string | Uint8Array) => hex(encrypt(plain, {ksn: KSN}));
const record = (plain: string | Uint8Array, indicator: number) =>
  `${KSN}:${indicator}:0000:${sealedHex(plain)}`;

const vipa = (plain: string | Uint8Array) => hex(vipaBlock(plain, KSN));

function xpi(plain: string | Uint8Array): string {
  const head = [tlv('DF900F', '4646'), tlv('DF9001', '0002'), tlv('DF9009', '3035')];
  return hex(...head, xpiBlob(plain, KSN));
}

/** Around a TLV list. */
export const LIST_CARRIERS: readonly Carrier<Uint8Array>[] = [
  {
    type: 'generic',
    name: 'data',
    carry: (list) => JSON.stringify({ksn: KSN, data: sealedHex(list)}),
  },
  {
    type: 'miura',
    name: 'DFAE02',
    carry: (list) => hex(sredBlob(list, KSN)),
  },
  {type: 'verifone', name: 'DFDF10', carry: vipa},
  {type: 'verifone', name: 'DF9020', carry: xpi},
  {
    type: 'wisepad2',
    name: 'C2',
    carry: (list) => hex(bbposMessage(list, KSN)),
  },
  {type: 'ingenico-rba', name: 'record', carry: (list) => record(list, 2)},
];

/** The two tracks of a magnetic stripe, canonical. */
export interface Stripe {
  readonly track1?: string;
  readonly track2?: string;
}

/** Around one track or two, with their LRC if the terminal sends it. */
export const STRIPE_CARRIERS: readonly Carrier<Stripe>[] = [
  {
    type: 'generic',
    name: 'track1, track2',
    carry: ({track1, track2}) =>
      JSON.stringify({
        ksn: KSN,
        ...(track1 === undefined ? {} : {track1: sealedHex(withLrc(track1))}),
        ...(track2 === undefined ? {} : {track2: sealedHex(withLrc(track2))}),
      }),
  },
  {
    type: 'idtech',
    name: 'enhanced frame',
    carry: ({track1 = '', track2 = ''}) => {
      const sent = [track1, track2].map((text) => text && withLrc(text));
      const bits = (track1 && 1) || 0;
      const which = bits | ((track2 && 2) || 0);
      return swipeFrame([
        Buffer.from([
          0x80,
          0x1f,
          sent[0]?.length ?? 0,
          sent[1]?.length ?? 0,
          0,
          0,
          0x80 | (which * 9),
        ]),
        ...sent.filter(Boolean).map((text) => encrypt(text, {ksn: KSN})),
        ...sent.filter(Boolean).map(sha1),
        Buffer.from(KSN, 'hex'),
      ]);
    },
  },
  {
    type: 'idtech',
    name: 'original frame',
    carry: ({track1, track2}) =>
      original({
        t1: track1 === undefined ? '' : withLrc(track1),
        t2: track2 === undefined ? '' : withLrc(track2),
      }),
  },
  {
    type: 'idtech',
    name: 'DFEF4D',
    carry: ({track1 = '', track2 = ''}) => {
      const lengths = Buffer.from([track1.length, track2.length, 0, 0, 0, 0]);
      const cipher = encrypt(track1 + track2, {ksn: KSN});
      return hex(tlv('DFEE12', KSN), tlv('DFEF4C', lengths), tlv('DFEF4D', cipher));
    },
  },
  {
    type: 'miura',
    name: '5F21, 5F22',
    carry: ({track1, track2}) => {
      const list = [textTag('5F21', track1), textTag('5F22', track2 && withLrc(track2))];
      return hex(sredBlob(Buffer.concat(list), KSN));
    },
  },
  {
    type: 'verifone',
    name: 'DFDB05, DFDB06',
    carry: ({track1, track2}) =>
      vipa(Buffer.concat([textTag('DFDB06', track2), textTag('DFDB05', track1)])),
  },
  {
    type: 'verifone',
    name: 'track text',
    carry: ({track1, track2}) =>
      vipa([track1, track2].map((text) => text && withLrc(text)).join('')),
  },
  {
    type: 'ingenico-rba',
    name: 'record',
    carry: ({track1, track2}) => {
      const sent = [track1, track2].filter((text) => text !== undefined);
      const indicator = sent.length === 2 ? 4 : track1 === undefined ? 2 : 1;
      return record(sent.map((text) => text.slice(1, -1)).join('|'), indicator);
    },
  },
  {
    type: 'wisepad',
    name: 'encTrack1, encTrack2',
    carry: ({track1, track2}) =>
      JSON.stringify({
        ksn: KSN,
        formatID: '60',
        ...(track1 === undefined ? {} : {encTrack1: sealedHex(zeroFilled(track1, 80))}),
        ...(track2 === undefined ? {} : {encTrack2: sealedHex(zeroFilled(track2, 40))}),
      }),
  },
];

/** An ID TECH tag that is encrypted on its own, beside a 57 that gives the card. */
export function flaggedTag(tag: string, value: Uint8Array, card: string): string {
  return hex(
    tlv('DFEE12', KSN),
    flagged('57', 'C1', sealed('57', card)),
    flagged(tag, 'C1', sealed(tag, value)),
  );
}

function textTag(tag: string, text: string | undefined): Buffer {
  return text === undefined ? Buffer.alloc(0) : tlv(tag, bytesOf(text));
}

function zeroFilled(text: string, length: number): Buffer {
  const bytes = bytesOf(withLrc(text));
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}
