import {describe, expect, it} from 'vitest';
import {
  TERMINAL_TYPES,
  type TerminalRequest,
  type TerminalType,
} from '../../src/engine/families/registry.js';
import type {SimulatedRequest} from '../../src/simulator/simulate.js';
import {tenthOf} from '../long.js';
import {SAMPLE_PAYLOADS, type Shape, SIMULATED_SHAPES, shapeTitle, testCard} from '../payloads.js';
import {simulate} from '../writers.js';
import {
  bbposMessage,
  hex,
  list,
  rbaRecord,
  sredBlob,
  vipaBlock,
  withLrc,
  xpiBlob,
} from './blocks.js';
import {enhanced, flagged, keyedOriginal, original, track, vivo} from './families/idtech-frames.js';
import {linkFrame, SUCCESS} from './families/link-frames.js';
import {PUBLISHED_READS} from './published-reads.js';
import {answer, readSamples, ringOf, TEST_BDK, testRing} from './samples.js';
import {encrypt, tlv} from './terminal.js';

/** One read: a card under a KSN. */
interface Read {
  readonly pan: string;
  readonly ksn: string;
}

const FIRST: Read = {pan: '4012888888881881', ksn: 'FFFF9876543210E00061'};
/** Of the same card, and of another one. */
const LATER: Read = {...FIRST, ksn: 'FFFF9876543210E00062'};
const OTHER: Read = {pan: '4761739001010010', ksn: 'FFFF9876543210E00063'};

const track1 = ({pan}: Read) => `%B${pan}^SAMPLE/CARD^28012011234567?`;
const track2 = ({pan}: Read) => `;${pan}=28012011234567?`;
const equivalent = ({pan}: Read) => Buffer.from(`${pan}D28012011234567F`, 'hex');
const tag57 = (read: Read) => tlv('57', equivalent(read));

const xpi = (read: Read) => xpiBlob(tag57(read), read.ksn);
const vipa = (read: Read) => vipaBlock(tag57(read), read.ksn);
const frameOf = (read: Read, form: 'hex' | 'binary' | 'keyboard' = 'hex') =>
  enhanced({ksn: read.ksn, tracks: [track(track1(read)), track(track2(read))], form});
const swipe = (read: Read) => tlv('DFEE23', Buffer.from(frameOf(read), 'hex'));
const idtechKsn = ({ksn}: Read) => tlv('DFEE12', ksn);
const sealed57 = (read: Read) => flagged('57', 'C1', encrypt(tag57(read), {ksn: read.ksn}));
const idtech = (read: Read) => list(idtechKsn(read), sealed57(read));
const bare57 = (read: Read) => tlv('57', encrypt(tag57(read), {ksn: read.ksn}));

const joined = (read: Read) => {
  const lengths = Buffer.from([0, track2(read).length, 0, 0, 0, 0]);
  return list(tlv('DFEF4C', lengths), tlv('DFEF4D', encrypt(track2(read), {ksn: read.ksn})));
};
const keyedFrame = ({pan, ksn}: Read) =>
  keyedOriginal({plain: `${pan}=2801=123`, exp: '2801', form: 'keyboard', ksn});

const online = (read: Read) => bbposMessage(tag57(read), read.ksn);
const batch = (read: Read) => bbposMessage(tag57(read), read.ksn, ['C3', 'C5']);
const equivalentOnly = (read: Read) => bbposMessage(equivalent(read), read.ksn, ['C7', 'C8']);
const sred = (read: Read) => sredBlob(tag57(read), read.ksn);
const record = (read: Read) => rbaRecord(track2(read).slice(1, -1), read.ksn, 2);

const fields = (...all: readonly string[]) => all.join('\x1c');
const rba23 = (read: Read) => fields('23.0M', '', '', record(read));
const rba41 = (read: Read) =>
  fields('41.M', '19', '0', '0', '0', '', '', record(read), '', '', '2801', 'A/B', '0');

function framed(message: string): string {
  const lrc = [...message, '\x03'].reduce((sum, c) => sum ^ c.charCodeAt(0), 0);
  return `\x02${message}\x03${String.fromCharCode(lrc)}`;
}

function emvTag(tag: string, text: string): string {
  return `T${tag}:${text.length.toString(16)}:a${text}`;
}

function magtek(read: Read): string {
  const text = encrypt(track2(read), {ksn: read.ksn, variant: 'pin'}).toString('hex');
  return ['', '0600', '', text, '', '', '', '', '', read.ksn, '', '', '0000'].join('|');
}

const cipher = (read: Read) => encrypt(track2(read), {ksn: read.ksn}).toString('hex');

type Case = readonly [name: string, type: TerminalType, payload: (a: Read, b: Read) => string];

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const e07 = (read: Read) => ['E070005', '02', xpi(read).toString('base64')].join('\x1c');

const CASES: readonly Case[] = [
  ['two XPI blobs', 'verifone', (a, b) => hex(xpi(a), xpi(b))],
  ['two XPI blobs in base64', 'verifone', (a, b) => base64(list(xpi(a), xpi(b)))],
  ['two messages E07', 'verifone', (a, b) => framed(e07(a)) + framed(e07(b))],
  ['two VIPA blocks', 'verifone', (a, b) => hex(vipa(a), vipa(b))],
  ['two VIPA blocks in a template', 'verifone', (a, b) => hex(tlv('E4', list(vipa(a), vipa(b))))],
  [
    'two VIPA messages',
    'verifone',
    (a, b) => hex(linkFrame(list(vipa(a), SUCCESS)), linkFrame(list(vipa(b), SUCCESS))),
  ],
  ['a VIPA block behind an XPI blob', 'verifone', (a, b) => hex(xpi(a), vipa(b))],
  ['an XPI blob behind a VIPA block', 'verifone', (a, b) => hex(vipa(a), xpi(b))],
  ['two VIPA blocks', 'phressiapad', (a, b) => hex(vipa(a), vipa(b))],
  ['two DFEE23', 'idtech', (a, b) => hex(swipe(a), swipe(b))],
  ['DFEE23 and an encrypted 57', 'idtech', (a, b) => hex(swipe(a), idtech(b))],
  ['two KSNs and encrypted tags', 'idtech', (a, b) => hex(idtech(a), idtech(b))],
  ['two encrypted 57 under one KSN', 'idtech', (a, b) => hex(idtech(a), sealed57(b))],
  ['two bare 57 under one KSN', 'idtech', (a, b) => hex(idtechKsn(a), bare57(a), bare57(b))],
  ['two frames in hex', 'idtech', (a, b) => frameOf(a) + frameOf(b)],
  ['two frames in binary', 'idtech', (a, b) => frameOf(a, 'binary') + frameOf(b, 'binary')],
  [
    'two frames of a keyboard',
    'idtech',
    (a, b) => `${frameOf(a, 'keyboard')}\r\n${frameOf(b, 'keyboard')}\r\n`,
  ],
  ['two frames', 'prima', (a, b) => frameOf(a) + frameOf(b)],
  ['two ViVOtech2 messages', 'idtech', (a, b) => vivo(idtech(a)) + vivo(idtech(b))],
  ['two online messages', 'wisepad', (a, b) => hex(online(a), online(b))],
  ['an online and a batch message', 'wisepad2', (a, b) => hex(online(a), batch(b))],
  ['two track 2 equivalents', 'wisepad2', (a, b) => hex(equivalentOnly(a), equivalentOnly(b))],
  ['two templates', 'miura', (a, b) => hex(tlv('E1', sred(a)), tlv('E1', sred(b)))],
  ['a template and tags without one', 'miura', (a, b) => hex(tlv('E1', sred(a)), sred(b))],
  ['tags without a template and one', 'miura', (a, b) => hex(sred(a), tlv('E4', sred(b)))],
  ...['encTracks', 'encTrack1', 'encTrack2', 'encPAN', 'encTrack2Eq'].flatMap((name): Case[] => [
    [
      `${name} of a dictionary in generic text`,
      'generic',
      (a, b) => `ksn=${a.ksn};track2=${cipher(a)};${name}=${cipher(b)}`,
    ],
    [
      `${name} of a dictionary in generic JSON`,
      'generic',
      (a, b) => JSON.stringify({[name]: cipher(b), ksn: a.ksn, track2: cipher(a)}),
    ],
  ]),
  [
    'two messages',
    'miura',
    (a, b) => {
      const messageOf = (read: Read) => linkFrame(list(tlv('E4', sred(read)), SUCCESS));
      return hex(messageOf(a), messageOf(b));
    },
  ],
  ['two KSNs of a blob', 'miura', (a, b) => hex(sred(a), tlv('DFAE03', b.ksn))],
  ['two messages 23.', 'ingenico-rba', (a, b) => framed(rba23(a)) + framed(rba23(b))],
  ['two messages 41.', 'ingenico-rba', (a, b) => rba41(a) + rba41(b)],
  ['two messages 41. and a separator', 'ingenico-rba', (a, b) => fields(rba41(a), rba41(b))],
  ['41. with the fields of another', 'ingenico-rba', (a, b) => fields(rba41(a), '', '', record(b))],
  ['23. with a second record', 'ingenico-rba', (a, b) => fields(rba23(a), record(b))],
  [
    '23. with a record in track 1',
    'ingenico-rba',
    (a, b) => fields('23.0M', record(b), '', record(a)),
  ],
  [
    'two FF21',
    'ingenico-rba',
    (a, b) =>
      fields(
        '33.0500A1',
        emvTag('FF21', record(a)),
        emvTag('FF21', record(b)),
        emvTag('5F24', '280131'),
      ),
  ],
  [
    'FF21 and a record in FF1F',
    'ingenico-rba',
    (a, b) => fields('33.0500A1', emvTag('FF21', record(a)), emvTag('FF1F', record(b))),
  ],
  ['two records', 'ingenico-rba', (a, b) => `${record(a)}\r\n${record(b)}`],
  ...['', '|', '\r', '\r\n'].map(
    (joint): Case => [
      `two MagneSafe strings, joined by ${JSON.stringify(joint)}`,
      'phressiapad',
      (a, b) => magtek(a) + joint + magtek(b),
    ],
  ),
  [
    'two KSNs in JSON',
    'generic',
    (a, b) =>
      JSON.stringify({
        ksn: a.ksn,
        decryptionParameters: {sequenceNumber: b.ksn, encoding: 'hex'},
        encrypted: [{name: 'x', value: cipher(a)}],
      }),
  ],
  [
    'two values of an entry in JSON',
    'generic',
    (a, b) => JSON.stringify({ksn: a.ksn, encrypted: [{value: cipher(a), Value: cipher(b)}]}),
  ],
  ['track2 twice', 'generic', (a, b) => `ksn=${a.ksn};track2=${cipher(a)};track2=${cipher(b)}`],
  [
    'encTracks twice',
    'wisepad',
    (a, b) => `ksn=${a.ksn}\nencTracks=${cipher(a)}\nEncTracks=${cipher(b)}`,
  ],
  [
    'members in the value of an unknown one',
    'wisepad',
    (a, b) => `serial=GN-7;ksn=${a.ksn};track2=${cipher(a)}\nksn=${b.ksn}\nencTracks=${cipher(b)}`,
  ],
  [
    'DFEE23 and DFEF4D under another KSN',
    'idtech',
    (a, b) => hex(swipe(a), idtechKsn(b), joined(b)),
  ],
  ['DFEF4D and DFEE23 of another KSN', 'idtech', (a, b) => hex(idtechKsn(a), joined(a), swipe(b))],
  ['a keyed frame and an online message', 'wisepad', (a, b) => keyedFrame(a) + hex(online(b))],
  ['a keyed frame and a blob', 'miura', (a, b) => keyedFrame(a) + hex(sred(b))],
  ['a keyed frame, zeros, an XPI blob', 'verifone', (a, b) => `${keyedFrame(a)}00${hex(xpi(b))}`],
  ...['', 'ksn=', '{"ksn":"', '<data>'].flatMap((foreign): Case[] => [
    [
      `a MagneSafe string behind ${foreign}ciphertext`,
      'phressiapad',
      (a, b) => foreign + cipher(a) + magtek(b),
    ],
    [
      `a MagneSafe string in front of ${foreign}ciphertext`,
      'phressiapad',
      (a, b) => magtek(a) + foreign + cipher(b),
    ],
  ]),
  [
    'members and encrypted tracks of their own',
    'wisepad',
    (a, b) => `ksn=${a.ksn}\nformatID=60\nencTracks=${cipher(a)}\n${cipher(b)}${cipher(b)}`,
  ],
];

describe('repeated structure is 2100 before anything is decrypted:', () => {
  it.each(CASES)('%s, %s', (_, deviceType, payloadOf) => {
    for (const second of [LATER, OTHER]) {
      for (const [a, b] of [
        [FIRST, second],
        [second, FIRST],
      ] as const) {
        const found = answer({deviceType, devicePayload: payloadOf(a, b)});
        expect(found).toMatchObject({errCode: 2100, message: expect.not.stringContaining(a.pan)});
      }
    }
  });

  it('whatever the keys', () => {
    const devicePayload = hex(xpi(FIRST), xpi(OTHER)).replaceAll('FFFF98765432', '111111111111');
    expect(answer({deviceType: 'verifone', devicePayload})).toMatchObject({errCode: 2100});
  });
});

const KEYS = [{kind: 'bdk', hex: TEST_BDK}] as const;
const ANSWERED = TERMINAL_TYPES.flatMap(readSamples).filter(({expect: {response}}) => response);
/** A ciphertext alone, its KSN in the request, may be the value of an object by chance: left out. */
const KNOWN_READS = [
  ...ANSWERED.map(({request, keys}) => ({request, keys})),
  ...PUBLISHED_READS.map(({request}) => ({request, keys: KEYS})),
].filter(({request}) => request.ksn === undefined);

describe('reads of all terminals put together are none', () => {
  it.each(['', '\r\n', '\x1c', '|', '0000'])('joined by %j', (joint) => {
    let tried = 0;
    const answered: unknown[] = [];
    const first = tenthOf(KNOWN_READS, ({request}) => joint + request.devicePayload);
    for (const a of first) {
      for (const b of KNOWN_READS) {
        if (a.request.devicePayload === b.request.devicePayload) continue;
        const ring = ringOf([...a.keys, ...b.keys]);
        const devicePayload = a.request.devicePayload + joint + b.request.devicePayload;
        for (const deviceType of new Set([a.request.deviceType, b.request.deviceType])) {
          tried++;
          const {response} = answer({deviceType, devicePayload}, ring);
          if (response) answered.push([deviceType, a.request, b.request]);
        }
      }
    }
    expect(answered).toEqual([]);
    expect(tried).toBeGreaterThan(first.length * 20);
  });
});

/** Lists of all terminals that carry their KSN. */
const LISTS = KNOWN_READS.filter(({request: {devicePayload}}) =>
  /^(?!02|2|0[13]|56)[\dA-F]{16,}$/i.test(devicePayload),
);

/** Short tags that a list may begin with; of the last ones only values as long as EMV has them. */
const OWN_TAGS = /^(?:48|5[67A]|8[03C-E]|8[67]|9[0237D]|97|99|94|C[\dA-E]|DC)$/;
const SHORT_VALUES = /^(?:42|4F|50|8[124789AF]|9[158ABC])$/;

describe('ciphertext in front of a list is no object of it:', () => {
  it.each([8, 24, 40, 80, 112])('%i bytes', (length) => {
    const tags = Array.from({length: 256}, (_, i) => Buffer.from([i]).toString('hex').toUpperCase())
      .filter((tag) => /^0[2-9]|^[1-3]|^[4589CD]/.test(tag) && !/[1359BDF]F$/.test(tag))
      .filter((tag) => !OWN_TAGS.test(tag) && !(length < 24 && SHORT_VALUES.test(tag)));
    let tried = 0;
    const answered: unknown[] = [];
    for (const {request, keys} of LISTS) {
      const ring = ringOf(keys);
      for (const tag of tags) {
        tried++;
        const head = tag + Buffer.from([length - 2]).toString('hex');
        const devicePayload = head.padEnd(2 * length, 'a7') + request.devicePayload;
        const {response} = answer({...request, devicePayload}, ring);
        if (response) answered.push([head, request]);
      }
    }
    expect(answered).toEqual([]);
    expect(tried).toBeGreaterThan(1000);
  });
});

describe('the same structure repeated is one:', () => {
  const SAME: readonly Case[] = [
    ['an XPI blob', 'verifone', (a) => hex(xpi(a), xpi(a))],
    ['a VIPA block', 'verifone', (a) => hex(vipa(a), vipa(a))],
    ['DFEE23', 'idtech', (a) => hex(swipe(a), swipe(a))],
    ['encrypted tags', 'idtech', (a) => hex(idtech(a), idtech(a))],
    ['an online message', 'wisepad', (a) => hex(online(a), online(a))],
    ['a template', 'miura', (a) => hex(tlv('E1', sred(a)), tlv('E1', sred(a)))],
    ['a template and its tags', 'miura', (a) => hex(tlv('E1', sred(a)), sred(a))],
    [
      'FF21',
      'ingenico-rba',
      (a) => fields('33.0500A1', emvTag('FF21', record(a)), emvTag('FF21', record(a))),
    ],
  ];

  it.each(SAME)('%s, %s', (_, deviceType, payloadOf) => {
    const found = answer({deviceType, devicePayload: payloadOf(FIRST, FIRST)});
    expect(found).toMatchObject({response: {extracted: {PAN: FIRST.pan}}});
  });
});

describe('what is no second read is read as before:', () => {
  it('zeros behind a frame', () => {
    const devicePayload = `${frameOf(FIRST)}0000`;
    expect(answer({deviceType: 'idtech', devicePayload})).toMatchObject({
      response: {extracted: {PAN: FIRST.pan}},
    });
  });

  it('other data behind a frame is damage: 2101', () => {
    const t2 = withLrc(track2(FIRST));
    for (const frame of [frameOf(FIRST), original({t2})]) {
      const found = answer({deviceType: 'idtech', devicePayload: `${frame}0203`});
      expect(found).toMatchObject({errCode: 2101});
    }
  });
});

/** What is put between two payloads: nothing, what ends a line, and what separates members. */
const JOINTS = ['', '\n', '\r\n', ' ', ',', ';', '|', '&', '\x1c', '[FS]', '00', '\r\n\r\n'];

const keys = testRing();
const KSNS = ['FFFF9876543210E00041', 'FFFF9876543210E00042'] as const;

/** Of two cards and two transactions each; undefined: no such payload of this terminal. */
function payloadsOf(shape: Shape): readonly (readonly SimulatedRequest[])[] | undefined {
  try {
    return ['visa', 'mastercard'].map((id) => KSNS.map((ksn) => made(shape, id, ksn)));
  } catch {
    return undefined;
  }
}

function made(shape: Shape, id: string, ksn: string): SimulatedRequest {
  return simulate({...shape, card: testCard(id), ksn, keys, iv: undefined});
}

function ask(request: TerminalRequest, devicePayload: string, ring = keys) {
  const {errCode, response} = answer({...request, devicePayload}, ring);
  return response ?? errCode;
}

/** Refused as a form, or as card data that contradicts itself. */
function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'number';
}

const shapes = SIMULATED_SHAPES.flatMap((shape) => {
  const payloads = payloadsOf(shape);
  return payloads ? [{...shape, payloads}] : [];
});

/** Of Miura one message may hold two blobs of a card, each under its KSN: the answer is the same. */
function maySendTwoBlobs({deviceType, options}: Shape): boolean {
  return deviceType === 'miura' && options.form === 'flat';
}

describe('two reads put together are none:', () => {
  it('has shapes of every terminal', () => {
    expect(new Set(shapes.map(({deviceType}) => deviceType)).size).toBe(TERMINAL_TYPES.length - 1);
    expect(shapes.length).toBeGreaterThan(200);
  });

  it.each(tenthOf(shapes, shapeTitle))('$deviceType, $mode, $options', ({payloads, ...shape}) => {
    const [[one, later], [other, otherLater]] = payloads as Pairs;
    assertRefused(one, [other, otherLater], JOINTS);
    const alone = ask(one, one.devicePayload);
    const equals = maySendTwoBlobs(shape) ? [one, later] : [one];
    if (equals.length === 1) assertRefused(one, [later], JOINTS);
    for (const {devicePayload} of equals) assertUnchanged(one, devicePayload, alone);
  });

  it.each(TERMINAL_TYPES.filter((type) => type !== 'phressiapad'))(
    '%s: a read in one form behind that of another card in another',
    (type) => {
      const all = shapes.filter(({deviceType}) => deviceType === type);
      const own = tenthOf(all, (shape) => `behind ${shapeTitle(shape)}`);
      const others = all.map(({payloads}) => (payloads as Pairs)[1][1]);
      for (const {payloads} of own) assertRefused((payloads as Pairs)[0][0], others, ['', '\n']);
    },
  );

  const published = tenthOf(SAMPLE_PAYLOADS, ({name}) => name);
  it.each(published)('$name behind others and itself', ({name, request, keys: ring}) => {
    const others = SAMPLE_PAYLOADS.filter(
      (other) => other.request.deviceType === request.deviceType && other.name !== name,
    ).map((other) => other.request);
    const {devicePayload} = request;
    assertRefused(request, others, JOINTS, ring);
    assertUnchanged(request, devicePayload, ask(request, devicePayload, ring), ring);
  });
});

type Pairs = [[SimulatedRequest, SimulatedRequest], [SimulatedRequest, SimulatedRequest]];

function assertRefused(
  request: TerminalRequest,
  others: readonly TerminalRequest[],
  joints: readonly string[],
  ring = keys,
): void {
  for (const {devicePayload} of others) {
    if (devicePayload === request.devicePayload) continue;
    for (const joint of joints) {
      const outcome = ask(request, request.devicePayload + joint + devicePayload, ring);
      if (!isRefused(outcome)) expect({joint, devicePayload, outcome}).toBe('refused');
    }
  }
}

function assertUnchanged(
  request: TerminalRequest,
  second: string,
  alone: unknown,
  ring = keys,
): void {
  for (const joint of JOINTS) {
    const outcome = ask(request, request.devicePayload + joint + second, ring);
    if (!isRefused(outcome)) expect({joint, outcome}).toEqual({joint, outcome: alone});
  }
}
