import {createCipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {readMagtekPayload} from '../../../../src/engine/families/magtek/reader.js';
import {crcOf} from '../../../../src/engine/families/magtek/swipe/string.js';
import {KNOWN_TERMINALS} from '../../../../src/engine/families/registry.js';
import {inspectPayload} from '../../../../src/engine/inspection/inspect-payload.js';
import {recognise} from '../../../../src/engine/recognise.js';
import {Trace} from '../../../../src/engine/trace.js';
import {answer} from '../../samples.js';
import {encrypt} from '../../terminal.js';

/**
 * The forms of MagTek's readers, put together here from the tables of the manuals: by offsets, tags
 * and node:crypto, without the writers of the simulator.
 */
const KSN = 'FFFF9876543210E00008';
const PAN = '5452300551227189';
const TRACK_1 = '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?';
const TRACK_2 = ';5452300551227189=080432100000007250?';

/** Appendix B of the manuals: a swipe at security level 3, counter 8, and what its tracks contain. */
const SWIPE = [
  '%B5452000000007189^HOGAN/PAUL      ^08040000000000000000000?;5452000000007189=080400000000000000?+5163000050000445=000000000000?',
  '0600',
  'C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12',
  '724C5DB7D6F901C7F0FEAE7908801093B3DBFE51CCF6D483E789D7D2C007D539499BAADCC8D16CA2',
  'E31234A91059A0FBFE627954EE21868AEE3979540B67FCC40F61CECA54152D1E',
  'A1050000',
  '8628E664C59BBAA232BA90BFB3E6B41D6F4B691E633C311CBE6EE7466B81196EC07B12648DCAC4FD7FD0E212B479C60BAD8C74F82F327667',
  '',
  '21685F158B5C6BE0',
  KSN,
  'B78F',
  '',
  '0000',
] as const;
const STRING = SWIPE.join('|');

const pinVariant = (text: string) =>
  encrypt(text, {ksn: KSN, variant: 'pin', selfEncrypted: false}).toString('hex').toUpperCase();

function ask(devicePayload: string) {
  const {response, errCode} = answer({deviceType: 'magtek', devicePayload}, testKeyRing());
  return response ?? errCode;
}

describe('the swipe of the manuals', () => {
  it('opens to the tracks that they print', () => {
    expect(ask(STRING)).toMatchObject({
      track1: {ascii: TRACK_1},
      track2: {ascii: TRACK_2},
      track3: {ascii: '+5163499080020445=000000000000?'},
    });
  });

  it('has the CRC that they print, over all in front of it', () => {
    expect(crcOf(STRING.slice(0, STRING.indexOf('B78F')))).toBe('B78F');
    // The check value of CRC-16 with polynomial 1021 and start FFFF is 29B1.
    expect(crcOf('123456789')).toBe('B129');
  });

  it.each([500, 1000])('is read in a block of %d characters that ends in x', (size) => {
    const devicePayload = STRING.padEnd(Math.max(size, STRING.length + 1), 'x');
    expect(ask(devicePayload)).toEqual(ask(STRING));
    const {parts} = inspectPayload({deviceType: 'magtek', devicePayload}, false);
    expect(parts.at(-1)).toMatchObject({name: 'fill', offset: STRING.length});
  });

  it('is refused with another string behind the fill', () => {
    expect(ask(`${STRING}xxxx${STRING}`)).toBe(2100);
  });
});

/** A report by the offsets of the table of usages. */
function report(changes: Readonly<Record<number, string>> = {}): string {
  const bytes = Buffer.alloc(856);
  const put = (offset: number, hex: string) => bytes.write(hex, offset, 'hex');
  const text = (value: string) => Buffer.from(value, 'latin1').toString('hex');
  const [first, second] = [pinVariant(TRACK_1), pinVariant(TRACK_2)];
  put(3, '402800');
  put(7, first);
  put(119, second);
  put(344, 'A1050000');
  put(477, text('B2B4257022315AA'));
  put(493, '0006');
  put(495, KSN);
  put(505, '3C2500');
  put(508, text('%B5452000000007189^HOGAN/PAUL      ^08040000000000000000000?'));
  put(620, text(';5452000000007189=080400000000000000?'));
  put(852, '3C2500');
  for (const [offset, hex] of Object.entries(changes)) put(Number(offset), hex);
  return bytes.toString('hex').toUpperCase();
}

describe('a report of 856 bytes', () => {
  it('opens to the tracks at their offsets', () => {
    expect(recognise(report(), KNOWN_TERMINALS)).toEqual(['magtek']);
    expect(ask(report())).toMatchObject({
      meta: {serial: 'B2B4257022315AA'},
      track1: {ascii: TRACK_1},
      track2: {ascii: TRACK_2},
    });
  });

  it('is read behind a report id, and with the fields of later readers', () => {
    expect(ask(`01${report()}`)).toEqual(ask(report()));
    expect(ask(report() + '00'.repeat(31))).toEqual(ask(report()));
  });

  it.each([
    ['decode status 2', {0: '02'}, 2100],
    ['a length of 113', {3: '71'}, 2100],
    ['card type 6', {6: '06'}, 2100],
    ['a masked track without sentinel', {620: '35'}, 2100],
    ['the length 0 for a track that has data', {4: '00'}, 2101],
    ['another length without fill', {853: '26'}, 2601],
    ['another digit in the masked copy', {622: '35'}, 2601],
    ['no key', {495: 'FF'.repeat(10)}, 2400],
  ] as const)('is refused with %s', (_, changes, code) => {
    expect(ask(report(changes))).toBe(code);
  });
});

/** An object of BER-TLV; lengths from 128 in long form. */
function tlv(tag: string, ...value: string[]): string {
  const hex = value.join('');
  const length = hex.length / 2;
  const digits = length.toString(16).padStart(length > 255 ? 4 : 2, '0');
  const form = length < 128 ? '' : length > 255 ? '82' : '81';
  return (tag + form + digits + hex).toUpperCase();
}

describe('SCRA TLV', () => {
  it('opens under the PIN variant, with empty members', () => {
    const payload = tlv(
      'FA',
      tlv('DFDF25', Buffer.from('B2B4257022315AA').toString('hex')),
      tlv(
        'F4',
        tlv('DFDF37', pinVariant(TRACK_1)),
        tlv('DFDF39', pinVariant(TRACK_2)),
        tlv('DFDF3B'),
        tlv('DFDF50', KSN),
      ),
    );
    expect(ask(payload)).toMatchObject({
      meta: {serial: 'B2B4257022315AA', mode: 'swiped'},
      track1: {ascii: TRACK_1},
      track2: {ascii: TRACK_2},
    });
  });
});

const CARD = [tlv('5A', PAN), tlv('57', `${PAN}D080432100000007250F`), tlv('5F24', '080430')].join(
  '',
);

/** ISO/IEC 9797-1, algorithm 3, padding method 1: DES in CBC, the last block under both halves. */
function retailMac(message: Buffer, key: Buffer): string {
  const [left, right] = [key.subarray(0, 8), key.subarray(8)];
  // DES is Triple DES under one key three times.
  const des = (half: Buffer, data: Buffer) =>
    createCipheriv('des-ede3-cbc', Buffer.concat([half, half, half]), Buffer.alloc(8))
      .setAutoPadding(false)
      .update(data);
  const chain = des(left, message.subarray(0, -8));
  const last = Buffer.alloc(8);
  for (let i = 0; i < 8; i++) last[i] = (message.at(i - 8) ?? 0) ^ (chain.at(i - 8) ?? 0);
  const whole = createCipheriv('des-ede3-cbc', Buffer.concat([left, right, left]), Buffer.alloc(8));
  return whole.setAutoPadding(false).update(last).toString('hex').slice(0, 8).toUpperCase();
}

/** The MAC key of counter 8: the transaction key with the bytes 6 and 14 of the MAC variant. */
const MAC_KEY = Buffer.from('27F66D5244FF621EAA6F6120EDEB427F', 'hex').map(
  // The manuals print the key of the PIN variant: bytes 7 and 15 are inverted.
  (byte, i) => (i % 8 === 6 || i % 8 === 7 ? byte ^ 0xff : byte),
);

function container(mac?: string, extra = '', macKsn = KSN): string {
  const inside = `${tlv('FC', CARD)}`;
  const fill = (8 - ((inside.length / 2) % 8)) % 8;
  const data = encrypt(Buffer.from(inside, 'hex'), {ksn: KSN}).toString('hex');
  const object = tlv(
    'F9',
    tlv('DFDF54', macKsn),
    tlv('DFDF55', '82'),
    tlv('DFDF25', Buffer.from('B2B4257').toString('hex')),
    tlv(
      'FA',
      tlv(
        '70',
        tlv('DFDF52', '05'),
        extra,
        tlv(
          'F8',
          tlv('DFDF59', data),
          tlv('DFDF56', KSN),
          tlv('DFDF57', '80'),
          tlv('DFDF58', `0${fill}`),
        ),
      ),
    ),
  );
  const word = (object.length / 2).toString(16).padStart(4, '0').toUpperCase();
  const zeros = '00'.repeat((8 - ((object.length / 2 + 2) % 8)) % 8);
  const message = word + object + zeros;
  return message + (mac ?? retailMac(Buffer.from(message, 'hex'), MAC_KEY as Buffer));
}

describe('a container of the DynaPro format', () => {
  it('opens, and its MAC is that of node:crypto', () => {
    expect(ask(container())).toMatchObject({meta: {mode: 'emv'}, extracted: {PAN}});
  });

  it('is refused with another MAC', () => expect(ask(container('DEADBEEF'))).toBe(2101));

  it('opens without its length and MAC, and in a notification of older readers', () => {
    const whole = container();
    const bare = whole.slice(4, 4 + 2 * Number.parseInt(whole.slice(0, 4), 16));
    const length = (whole.length / 2).toString(16).padStart(4, '0');
    expect(ask(bare)).toMatchObject({extracted: {PAN}});
    expect(ask(`020303${length}${whole}`)).toEqual(ask(whole));
    expect(ask(`020303${length}${whole}00`)).toBe(2101);
    expect(ask(`020303${length}${whole}`.slice(0, -2))).toBe(2102);
  });

  it('opens without a key for the MAC', () => {
    expect(ask(container('00000000', '', '00'.repeat(10)))).toMatchObject({extracted: {PAN}});
  });
});

const AES_KSN = '123456789012345600000003';

/** Selectable card data under AES DUKPT, usage 3002, PKCS #7. */
function selectable(): string {
  const inside = tlv(
    'FC',
    tlv('5F20', Buffer.from('HOGAN/PAUL').toString('hex')),
    tlv('5F24', '080430'),
    tlv('5F30', '0321'),
    tlv('9F1F', '2A'),
    tlv('9F20', '2A'),
  );
  const data = encrypt(Buffer.from(inside, 'hex'), {
    ksn: AES_KSN,
    bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1',
    usage: 0x3002,
    fill: 'pkcs7',
  });
  return tlv(
    'FF42',
    tlv('DFDFDF37', data.toString('hex')),
    tlv('DFDFDF38', AES_KSN),
    tlv('DFDFDF39', '9D'),
  );
}

/** A notification of a contact transaction with its data. */
function notification(payload: string): string {
  return `AA00${tlv('81', '0483', '000101').replace('8105', '8104').replace('0483000101', '83000101')}${tlv('82', '10080201')}`.concat(
    tlv('84', '0101', tlv('84', payload)),
  );
}

describe('a message of MMS', () => {
  it('opens to its container, with the data of FF42', () => {
    const answered = ask(notification(container(undefined, selectable())));
    expect(answered).toMatchObject({extracted: {PAN}});
    expect(JSON.stringify(answered).toUpperCase()).toContain('5F200A484F47414E2F5041554C');
  });

  it.each([
    ['a response', 'AA0081048201DF018204000000008407DF018103010203', /response|82/i],
    ['M002', `M002|${STRING}`, /M002/],
    ['Q001', `Q001|${STRING}`, /Q001/],
    ['an audio answer', 'C10182150000', /C101/],
  ])('is refused by its name: %s', (_, payload, name) => {
    expect(() => readMagtekPayload(payload, new Trace())).toThrow(name);
  });
});
