import {
  enhanced,
  flagged,
  KSN,
  keyedOriginal,
  original,
  sealed,
  T1,
  T2,
  T3,
  track,
  vivo,
} from './families/idtech-frames.js';
import {readSamples} from './samples.js';
import {bytesOf, encrypt, lrcOf, tlv} from './terminal.js';

/** Payloads in every form of ID TECH and generic payloads, under the ANSI test BDK. */

const PAN = '4012888888881881';
const TAG_57 = `${PAN}D28012010000000000FFFF`;
const KSN_TAG = tlv('DFEE12', KSN);
const BOTH = [track(T1), track(T2)];
const bare = (text: string) => ({plain: text.slice(1, -1), hash: null});
const hex = (plain: string | Uint8Array) => encrypt(plain, {ksn: KSN}).toString('hex');
const list = (...objects: Uint8Array[]) => Buffer.concat(objects);
const pair = list(
  flagged('57', 'A1', '4012CCCCCCCC1881D2801201CCCCCCCCCCCCCC'),
  flagged('57', 'C1', sealed('57', TAG_57)),
  flagged('5A', 'C1', sealed('5A', PAN)),
);
const t1 = T1 + lrcOf(T1);
const t2 = T2 + lrcOf(T2);

const FRAMES: readonly (readonly [string, string])[] = [
  ['enhanced, hex', enhanced({tracks: BOTH, serial: '0000742T09'})],
  ['enhanced, binary', enhanced({tracks: BOTH, form: 'binary'})],
  ['enhanced, keyboard', enhanced({tracks: BOTH, form: 'keyboard', session: Buffer.alloc(8, 1)})],
  ['enhanced, three tracks', enhanced({tracks: [...BOTH, track(T3)]})],
  ['enhanced, without sentinels, hashes and copies', enhanced({tracks: [bare(T1), bare(T2)]})],
  ['enhanced, AES', enhanced({tracks: BOTH, setting: {algorithm: 'aes'}})],
  ['enhanced, PIN key', enhanced({tracks: BOTH, setting: {variant: 'pin'}})],
  [
    'enhanced, MAC',
    enhanced({tracks: BOTH, optional: Buffer.from([0x20]), mac: {ksn: 'FFFF98765432C0E00005'}}),
  ],
  ['enhanced, padding after ETX', `${enhanced({tracks: BOTH})}00000000`],
  ['original', original({t1, t2, t3: T3 + lrcOf(T3)})],
  [
    'keyed, type 85',
    keyedOriginal({plain: `${PAN}=2712=123`, exp: '2712', adr: '81', zip: '90210'}),
  ],
  [
    'keyed, type 85, keyboard',
    keyedOriginal({plain: `${PAN}=2712=`, hash: Buffer.alloc(20), form: 'keyboard'}),
  ],
  [
    'keyed, type C0',
    enhanced({
      type: 0xc0,
      tracks: [undefined, {plain: `;${PAN}=2212:123?${lrcOf(`;${PAN}=2212:123?`)}`}],
      additional: '15=090210=',
    }),
  ],
];

const MESSAGES: readonly (readonly [string, string])[] = [
  ['ViVOtech2, tags', vivo(list(KSN_TAG, pair))],
  ['ViVOpayV3, tags', vivo(list(KSN_TAG, pair), {v3: true, lead: '000000'})],
  ['ViVOtech2, swipe frame', vivo(tlv('DFEE23', Buffer.from(enhanced({tracks: BOTH}), 'hex')))],
  ['TLV with nested pairs', list(KSN_TAG, tlv('FF8105', pair)).toString('hex')],
  [
    'TLV with zeros between and behind',
    `C0${list(KSN_TAG, bytesOf('\0\0'), pair).toString('hex')}0000`,
  ],
  [
    'TLV, tag sent twice',
    list(
      tlv('FFEE12', KSN),
      Buffer.from('5781134012CCCCCCCC1881D2801201CCCCCCCCCCCCCC578118', 'hex'),
      sealed('57', TAG_57),
    ).toString('hex'),
  ],
  [
    'TLV, DFEF4D',
    list(
      KSN_TAG,
      tlv('DFEF4C', Buffer.from([0, t2.length, 0, 0, 0, 0])),
      tlv('DFEF4D', encrypt(t2, {ksn: KSN})),
    ).toString('hex'),
  ],
];

const GENERIC: readonly (readonly [string, string])[] = [
  ['JSON, tracks', JSON.stringify({ksn: KSN, track1: hex(t1), track2: hex(t2)})],
  ['JSON, TLV', JSON.stringify({ksn: KSN, serial: 'GN-1', data: hex(tlv('57', TAG_57))}, null, 2)],
  [
    'JSON, long form',
    JSON.stringify({
      decryptionParameters: {sequenceNumber: KSN, encoding: 'hex'},
      encrypted: [{name: 'a', value: hex(t2)}],
    }),
  ],
  ['JSON, packed', JSON.stringify({ksn: KSN, track2: hex(packed(t2))})],
  ['key=value', `serial=GN-7;ksn=${KSN};track1=${hex(t1)};track2=${hex(t2)}`],
  ['key=value, lines', `ksn = ${KSN}\r\ncolour = red\r\ntrack2 = ${hex(t2)}\r\n`],
];

function packed(text: string): Buffer {
  const nibbles = [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
  return Buffer.from(nibbles.padEnd(Math.ceil(nibbles.length / 2) * 2, '0'), 'hex');
}

/** Payloads that decrypt under the test BDK, by device type. */
export const SHAPES: Readonly<
  Record<'idtech' | 'generic', readonly (readonly [string, string])[]>
> = {idtech: [...FRAMES, ...MESSAGES], generic: GENERIC};

const CLEAR_IDTECH: readonly (readonly [string, string])[] = [
  ['clear tracks', enhanced({tracks: [undefined, {plain: t2, copy: t2, encrypted: false}]})],
  [
    'clear track with stars behind the number',
    enhanced({
      tracks: [undefined, {plain: t2, copy: `;${PAN}=`.padEnd(t2.length, '*'), encrypted: false}],
    }),
  ],
  [
    'clear tags',
    list(KSN_TAG, tlv('57', `${TAG_57.slice(0, -4)}FFFF`), tlv('5A', PAN)).toString('hex'),
  ],
  [
    'clear magnetic stripe tags',
    list(tlv('DFEF18', bytesOf(T2)), tlv('56', bytesOf(T1))).toString('hex'),
  ],
];

const CLEAR_GENERIC: readonly (readonly [string, string])[] = [
  ['clear track', JSON.stringify({ksn: KSN, track2: T2})],
  ['clear track in hex', JSON.stringify({ksn: KSN, track2: bytesOf(T2).toString('hex')})],
  ['clear key=value', `ksn=${KSN};track2=${T2}`],
  ['clear card in an unknown member', JSON.stringify({ksn: KSN, note: T2, track2: hex(t2)})],
];

function samplesOf(name: string) {
  return readSamples(name).map(({id, request}) => [id, request.devicePayload] as const);
}

/** Payloads of which a trace must name every byte. */
export const TRACED = {
  idtech: [
    ...samplesOf('idtech').filter(([id]) => !id.includes('0240-command')),
    ...SHAPES.idtech,
    ...CLEAR_IDTECH,
  ],
  generic: [...samplesOf('generic'), ...SHAPES.generic, ...CLEAR_GENERIC],
};
