import {describe, expect, it} from 'vitest';
import {FIELDS} from '../../../src/engine/families/idtech/layout.js';
import {TERMINALS} from '../../../src/engine/families/registry.js';
import {describeBytes} from '../../../src/engine/forms/record-cursor.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {Trace} from '../../../src/engine/trace.js';
import {bytesOf, tlv} from '../terminal.js';
import {
  enhanced,
  enhancedPieces,
  flagged,
  frame,
  KSN,
  keyedOriginal,
  original,
  sealed,
  T1,
  T2,
  T3,
  track,
  vivo,
} from './idtech-frames.js';

function traced(payload: string): Trace {
  const trace = new Trace();
  readPayload(TERMINALS.idtech, payload, trace);
  return trace;
}

const HEAD = ['STX', 'length of the card data, little-endian', 'card encode type'];
const TAIL = [
  'LRC: XOR of the card data',
  'CheckSum: sum of the card data modulo 256',
  'ETX',
  'padding after ETX',
];
const THREE_LENGTHS = [1, 2, 3].map((n) => `track ${n} plaintext length`);

// Fields 1 to 25 of ID TECH 80000502-001, in its order.
const ENHANCED = [
  ...[...HEAD, 'track status', ...THREE_LENGTHS],
  ...['clear/mask sent status (field 8)', 'encrypted/hash sent status (field 9)'],
  ...['number of optional bytes', 'optional status bytes (field 11)'],
  ...['track 1 masked', 'track 2 masked', 'track 3 masked or in cleartext'],
  ...[1, 2, 3].map((n) => `track ${n} encrypted`),
  'session ID',
  ...[1, 2, 3].map((n) => `track ${n} hash`),
  ...['reader serial number', 'KSN'],
  ...['MAC length, little-endian', 'MAC (HMAC-SHA256)', 'MAC KSN'],
  ...TAIL,
];
const KEYED = [
  ...[...HEAD, 'unused lengths', 'keyed entry status', 'keyed entry plaintext length'],
  ...['keyed entry encrypted', 'keyed entry hash', 'length of EXP', 'EXP, clear'],
  ...['length of ADR', 'ADR, clear', 'length of ZIP', 'ZIP, clear', 'KSN', ...TAIL],
];
const ORIGINAL = [
  ...[...HEAD, 'track status', ...THREE_LENGTHS, 'track 1 masked', 'track 2 masked'],
  ...[
    'track 3 masked or in cleartext',
    'tracks 1 and 2 encrypted as one',
    'track 1 hash',
    'track 2 hash',
  ],
  ...['KSN', ...TAIL],
];

const all = {
  tracks: [track(T1), track(T2), track(T3)],
  serial: '742T090094',
  session: Buffer.alloc(8, 0x11),
  optional: Buffer.from([0x20]),
  mac: {ksn: KSN},
};
const lrc3 = track(T3).plain;

for (const form of ['hex', 'binary', 'keyboard'] as const) {
  const zeros = form === 'binary' ? '\0\0' : '0000';

  describe(`the fields of a frame in its ${form} form`, () => {
    it.each([
      ['enhanced layout', enhanced({...all, form}), ENHANCED],
      ['original layout', original({t1: T1, t2: T2, t3: lrc3, form}), ORIGINAL],
      [
        'keyed entry, original layout',
        keyedOriginal({
          plain: '4012888888881881=2212=',
          exp: '2212',
          adr: '15',
          zip: '90210',
          form,
        }),
        KEYED,
      ],
    ])('of the %s have the names and the order of the manual', (_, payload, names) => {
      expect(traced(payload + zeros).parts.map(({name}) => name)).toEqual(names);
    });

    it('cover it from STX to the fill', () => {
      const payload = enhanced({...all, form}) + zeros;
      const {parts} = traced(payload);
      const lengths = parts.map(({length}) => length);
      const ends = parts.map(({offset, length}) => offset + length);
      expect(ends).toEqual(lengths.map((_, i) => lengths.slice(0, i + 1).reduce((a, b) => a + b)));
      expect(ends.at(-1)).toBe(form === 'hex' ? payload.length / 2 : payload.length);
    });
  });
}

describe('the fields of a ViVOpay message', () => {
  const tags = Buffer.concat([
    tlv('DFEE12', KSN),
    flagged('57', 'C1', sealed('57', '4012888888881881D28012010F')),
  ]);

  it.each([
    ['ViVOtech2', false, ['command', 'status']],
    ['ViVOpayV3', true, ['command', 'subcommand', 'status']],
  ] as const)('%s: from its header to the fill', (name, v3, codes) => {
    const {parts} = traced(`${vivo(tags, {v3})}0000`);
    const top = parts.filter(({depth}) => depth === 0).map((part) => part.name);
    expect(top).toEqual([
      ...['header', ...codes, 'length', 'attribution', 'CRC-16', 'padding after the message'],
    ]);
    expect(parts[0]).toMatchObject({
      value: Buffer.from(`${name}\0`).toString('hex').toUpperCase(),
      sensitivity: 'opaque',
    });
    expect(parts.find((part) => part.name === 'length')?.meaning).toBe(`${tags.length + 1} bytes`);
  });
});

describe('the status bytes of a frame', () => {
  const meanings = (payload: string) =>
    Object.fromEntries(traced(payload).parts.map(({name, meaning}) => [name, meaning]));

  it('say what their bits mean, as does the length', () => {
    const found = meanings(enhanced(all));
    expect(found).toMatchObject({
      'card encode type': 'ISO/ABA card, enhanced layout',
      'track 1 plaintext length': String(T1.length + 1),
      'clear/mask sent status (field 8)':
        'track 1 masked, track 2 masked, track 3 masked or additional data, serial number',
      'optional status bytes (field 11)': 'MAC',
      'MAC length, little-endian': '32',
    });
    expect(found['encrypted/hash sent status (field 9)']).toBe(
      'track 1 encrypted, track 2 encrypted, track 3 encrypted, track 1 hash, track 2 hash, track 3 hash, session ID, KSN',
    );
  });

  it('say so when none is set', () => {
    const {length} = T2;
    const pieces = [Buffer.from([0x80, 0, 0, length, 0, 0, 0x80]), Buffer.from(KSN, 'hex')];
    const trace = new Trace();
    expect(() => readPayload(TERMINALS.idtech, frame(pieces), trace)).not.toThrow();
    const found = trace.parts.filter(({meaning}) => meaning === 'nothing set');
    expect(found.map(({name}) => name)).toEqual([
      'track status',
      'clear/mask sent status (field 8)',
    ]);
  });
});

// ID TECH 80000502-001, fields 4, 8, 9 and 11, and the status of type 85.
const BITS = {
  trackStatus: [
    ...[1, 2, 3].map((n) => `track ${n} decoded or empty`),
    ...[1, 2, 3].map((n) => `track ${n} sampled`),
    ...['optional bytes follow', 'bit 7 reserved'],
  ],
  maskStatus: [
    ...['track 1 masked', 'track 2 masked', 'track 3 masked or additional data'],
    ...['bit 3', 'AES', 'chip card', 'PIN key', 'serial number'],
  ],
  encryptStatus: [
    ...[1, 2, 3].map((n) => `track ${n} encrypted`),
    ...[1, 2, 3].map((n) => `track ${n} hash`),
    ...['session ID', 'KSN'],
  ],
  optional: [
    ...['SHA-256', 'TransArmor', 'algorithm bit 2', 'algorithm bit 3', 'algorithm bit 4'],
    ...['MAC', 'bit 6 reserved', 'bit 7 reserved'],
  ],
  keyedStatus: ['ZIP', 'ADR', 'EXP', 'session ID', 'bit 4', 'bit 5', 'bit 6', 'bit 7'],
} as const;

describe('what the bytes of a field say', () => {
  it.each(Object.entries(BITS))('%s, bit by bit and together', (field, names) => {
    const said = (value: number) =>
      describeBytes(FIELDS[field as keyof typeof BITS], Uint8Array.of(value)).meaning;
    expect(names.map((_, bit) => said(1 << bit))).toEqual(names);
    expect(said(0xff)).toBe(names.join(', '));
    expect(said(0)).toBe('nothing set');
  });

  it.each([
    ...['length', 'length1', 'length2', 'length3', 'optionalLength', 'macLength'],
    ...['keyedLength', 'expiryLength', 'addressLength', 'zipLength'],
  ] as const)('%s, little-endian', (field) => {
    expect(describeBytes(FIELDS[field], Uint8Array.of(0x22, 0x01))).toEqual({meaning: '290'});
  });

  it.each(['serial', 'expiry', 'address', 'zip'] as const)('%s, as text', (field) => {
    expect(describeBytes(FIELDS[field], bytesOf('15 A'))).toMatchObject({text: '15 A'});
  });

  it.each(['lrc', 'checksum', 'etx', 'reserved', 'stx', 'filler'] as const)(
    '%s, nothing',
    (field) => {
      expect(describeBytes(FIELDS[field], Uint8Array.of(2))).toEqual({});
    },
  );

  it.each([...['session', 'hash1', 'hash2', 'hash3', 'keyedHash', 'mac']] as const)(
    '%s, that its bytes are no digits',
    (field) => {
      expect(describeBytes(FIELDS[field], Uint8Array.of(1))).toEqual({sensitivity: 'opaque'});
    },
  );

  it.each([
    ...['cipher1', 'cipher2', 'cipher3', 'cipher12', 'cipher123', 'transArmor', 'keyedCipher'],
  ] as const)('%s, that it is ciphertext', (field) => {
    expect(describeBytes(FIELDS[field], Uint8Array.of(1))).toEqual({sensitivity: 'ciphertext'});
  });

  it.each(['ksn', 'macKsn', 'serial'] as const)('%s, that it is harmless', (field) => {
    expect(describeBytes(FIELDS[field], Uint8Array.of(1))).toMatchObject({sensitivity: 'harmless'});
  });
});

describe('keyboard text with a character that is no hex digit', () => {
  const spec = {tracks: [undefined, track(T2)]};

  it('in a field: 2100, which names the field and the place', () => {
    const pieces = enhancedPieces(spec).slice(0, -1);
    const text = frame([...pieces, {literal: KSN.replace('FF', 'ZZ')}], 'keyboard');
    const detail = `KSN at character ${text.indexOf('ZZ')}: expected hex digits`;
    expect(() => traced(text)).toThrow(expect.objectContaining({code: 2100, detail}));
  });

  it('in its LRC: 2101, which says so', () => {
    const text = enhanced({...spec, form: 'keyboard'});
    const at = text.length - 6;
    const detail = expect.stringMatching(
      new RegExp(`LRC at character ${at}: expected .., found no hex digits`),
    );
    expect(() => traced(`${text.slice(0, at)}ZZ${text.slice(at + 2)}`)).toThrow(
      expect.objectContaining({code: 2101, detail}),
    );
  });
});
