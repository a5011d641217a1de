import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {enhanced, track} from '../engine/families/idtech-frames.js';
import {encrypt, lrcOf, tlv} from '../engine/terminal.js';
import {IS_LONG, tenthOf} from '../long.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

const KSN = 'FFFF9876543210E00008';
const NOT_THIS = 'this read is not';

async function detailsOf(given: CaseJson): Promise<string> {
  const {solved, verdicts} = await diagnoseJson(given, {usualOnly: true});
  expect(solved).toBe(false);
  return verdicts.map(({detail = ''}) => detail).join(' ');
}

describe('a hint about a key set', () => {
  /** Numbers that begin as KSNs of known key sets do. */
  const PREFIXES = ['629949', '0282', '0283', '888889', '0000020000', '95000300', '3141593932'];

  it.each(tenthOf(PREFIXES, (prefix) => prefix))(
    'never comes from the digits of a card, %s',
    async (prefix) => {
      const draw = new Draw(prefix);
      const wrong: unknown[] = [];
      for (let i = 0; i < (IS_LONG ? 4 : 1); i++) {
        const pan = prefix + draw.digits(16 - prefix.length);
        const tail = `${draw.expiry()}201${draw.digits(8)}`;
        const sealed = draw.hex(8 * (2 + draw.below(6)));
        const payloads = [
          `${pan}${tail} ${sealed}`,
          `${pan}D${tail}F${sealed}`,
          Buffer.concat([
            tlv('57', `${pan}D${tail.slice(0, 13)}F`.padEnd(38, 'F').slice(0, 38)),
            tlv('C2', sealed),
          ]).toString('hex'),
          `;${pan}=${tail}?\n${sealed}`,
          `${pan}${draw.digits(4)}\n${sealed}`,
          `Serial: ${pan}\n${sealed}`,
        ];
        for (const payload of payloads) {
          if ((await detailsOf({payload})).includes('key set')) wrong.push(payload);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it.each([
    ['given', (hex: string) => ({payload: hex, ksn: KSN})],
    ['behind its label', (hex: string) => ({payload: `KSN: ${KSN}\nData: ${hex}`})],
    [
      'in its tag',
      (hex: string) => ({payload: `DFAE030A${KSN}DFAE02${(hex.length / 2).toString(16)}${hex}`}),
    ],
  ])('comes from a KSN that is %s', async (_, make) => {
    const hex = new Draw('sets').hex(40);
    expect(await detailsOf(make(hex))).toContain('key set FFFF987654');
  });

  it('says of a whole payload that it is not under the test key', async () => {
    const spec = {
      tracks: [track(''), track(new Draw('x').track2())],
      setting: {bdk: '1'.repeat(32)},
    };
    expect(await detailsOf({payload: enhanced({...spec, form: 'hex'})})).toContain(NOT_THIS);
  });

  it.each([
    ['bare ciphertext', {ciphertexts: [{hex: new Draw('bare').hex(40)}], ksn: KSN}],
    ['a blob', {payload: new Draw('blob').hex(43), ksn: KSN}],
    ['hex in text', {payload: `data=${new Draw('text').hex(40)} ok`, ksn: KSN}],
    [
      'a frame that is cut',
      {payload: `02A600850000000007197B${new Draw('cut').hex(30)}`, ksn: KSN},
    ],
  ])('says no such thing of %s', async (_, given) => {
    expect(await detailsOf(given)).not.toContain(NOT_THIS);
  });
});

describe('a word about a counter', () => {
  const draw = new Draw('counters');
  const sealed = draw.hex(40);
  const record = `${draw.ksnWith(0x401)}:2:0080:${sealed}`;
  const masked = '28121010000000000000';

  it.each([
    ['a masked track', {payload: `23.0M\x1c\x1c;4111110000001111=${masked}?\x1c${record}`}],
    [
      'an order',
      {payload: JSON.stringify({ksn: draw.ksnWith(0x401), order: masked, data: sealed})},
    ],
    ['a line of a log', {payload: `${masked} read\nKSN: ${draw.ksnWith(0x401)}\nData: ${sealed}`}],
    ['digits beside the given KSN', {payload: `${masked}\n${sealed}`, ksn: draw.ksnWith(0x401)}],
  ])('never comes from the digits of %s', async (_, given) => {
    const labels = labelsOf(await diagnoseJson(given, {usualOnly: true}));
    expect(labels.filter((label) => label.startsWith('ksn-'))).toEqual([]);
  });

  it('comes from a KSN', async () => {
    for (const given of [
      {payload: sealed, ksn: draw.ksnWith(0)},
      {payload: `KSN: ${draw.ksnWith(0)}\nData: ${sealed}`},
    ]) {
      expect(labelsOf(await diagnoseJson(given, {usualOnly: true}))).toContain('ksn-counter-zero');
    }
  });
});

describe('a track behind zeros or a length', () => {
  const draw = new Draw('leads');
  const text = draw.track2();
  const one = draw.track1();
  const bytes = (...numbers: number[]) => Buffer.from(numbers);
  const n = text.length;
  const leads: readonly (readonly [string, Buffer, string])[] = [
    ['one zero', bytes(0), text],
    ['three zeros', bytes(0, 0, 0), text],
    ['a block of zeros', Buffer.alloc(8), text],
    ['ten zeros', Buffer.alloc(10), one],
    ['a byte', bytes(n), text],
    ['a byte, the LRC counted', bytes(n + 1), text + lrcOf(text)],
    ['a byte in front of track 1', bytes(one.length), one],
    ['two bytes', bytes(0, n), text],
    ['two bytes, low first', bytes(n, 0), text],
    ['four bytes', bytes(0, 0, 0, n), text],
    ['four bytes, low first', bytes(n, 0, 0, 0), text],
    ['two digits', Buffer.from(String(n)), text],
    ['three digits', Buffer.from(String(n).padStart(3, '0')), text],
  ];

  it.each(tenthOf(leads, ([name]) => name))(
    'is a track with its command: %s',
    async (_, lead, track) => {
      const hex = encrypt(Buffer.concat([lead, Buffer.from(track)]), {ksn: KSN}).toString('hex');
      const found = await diagnoseJson({ciphertexts: [{hex}], ksn: KSN}, {usualOnly: true});
      expect(labelsOf(found)).toContain('bytes-in-front');
      expect(labelsOf(found)).not.toContain('packing-text');
      const [, pan] = /(\d{13,19})/.exec(track.slice(1)) ?? [];
      expect(found.next).toBeDefined();
      const answer = found.next && processPayload(found.next.request, testKeyRing());
      expect(answer?.extracted.PAN).toBe(pan);
    },
  );
});

describe('a decryption of a part', () => {
  const draw = new Draw('parts');
  const hexOf = (text: string, bdk?: string) =>
    encrypt(text, {ksn: KSN, ...(bdk ? {bdk} : {})}).toString('hex');
  const [one, two] = [draw.track1(), draw.track2()];

  it.each<[string, CaseJson, RegExp]>([
    [
      'a second ciphertext under another key',
      {
        ciphertexts: [
          {name: 'first', hex: hexOf(one)},
          {name: 'second', hex: hexOf(two, draw.key())},
        ],
        ksn: KSN,
      },
      /second was not decrypted: .*another key/,
    ],
    [
      'a second ciphertext that is damaged',
      {
        ciphertexts: [
          {name: 'first', hex: hexOf(one)},
          {name: 'second', hex: draw.hex(40)},
        ],
        ksn: KSN,
      },
      /second was not decrypted: .*40 bytes/,
    ],
    [
      'a block beside it',
      {
        ciphertexts: [
          {name: 'first', hex: hexOf(one)},
          {name: 'pin', hex: draw.hex(8)},
        ],
        ksn: KSN,
      },
      /pin was not decrypted: .*PIN block/,
    ],
    [
      'a track whose end was cut',
      {
        ciphertexts: [
          {name: 'data', hex: hexOf(two.slice(0, 32).replace(/\?.*/, '1')).slice(0, 64)},
        ],
        ksn: KSN,
      },
      /no end sentinel/,
    ],
    [
      'a field of a payload under another KSN',
      {
        payload: JSON.stringify({ksn: KSN, track1: hexOf(one), track2: draw.hex(40)}),
      },
      /track2 was not decrypted/,
    ],
  ])('says what is missing and why: %s', async (_, given, words) => {
    const found = await diagnoseJson(given, {usualOnly: true});
    expect(found.solved).toBe(true);
    expect(found.verdicts.find(({label}) => label === 'part-missing')?.detail).toMatch(words);
  });

  it('is not said of a whole one', async () => {
    const given = {ciphertexts: [{hex: hexOf(one)}, {hex: hexOf(two)}], ksn: KSN};
    expect(labelsOf(await diagnoseJson(given, {usualOnly: true}))).not.toContain('part-missing');
  });
});

describe('a list whose tags are not of one card', () => {
  const draw = new Draw('two cards');
  const list = (pan: string, other: string, date: string, otherDate: string) =>
    Buffer.concat([
      tlv('5A', pan),
      tlv('5F24', date),
      tlv('57', `${other}D${otherDate}201${draw.digits(7)}`.padEnd(38, 'F').slice(0, 38)),
      tlv('9F26', draw.hex(8)),
      tlv('9F02', '000000001000'),
      tlv('9F10', draw.hex(18)),
      tlv('5F34', '01'),
      tlv('9F36', '0042'),
      tlv('95', '0000008000'),
      tlv('9A', '260101'),
      tlv('9C', '00'),
      tlv('5F2A', '0978'),
    ]);
  const [pan, other] = [draw.pan(), draw.pan()];

  it.each([
    ['two dates', list(pan, pan, '301231', '2912')],
    ['two numbers', list(pan, other, '301231', '3012')],
  ])('opens, with what contradicts it and no command: %s', async (_, tags) => {
    const hex = encrypt(tags, {ksn: KSN}).toString('hex');
    const found = await diagnoseJson({ciphertexts: [{hex}], ksn: KSN}, {usualOnly: true});
    expect(found.solved).toBe(true);
    expect(found.evidence.join()).not.toContain('57 agrees');
    expect(labelsOf(found)).toContain('masked-copy-differs');
    expect(found.next).toBeUndefined();
  });
});
