import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TERMINALS} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {gappedHex} from '../../src/input/gapped-ciphertexts.js';
import {bytesOf, type Encryption, encrypt, tlv} from '../engine/terminal.js';
import {IS_LONG, tenthOf} from '../long.js';
import {simulate} from '../writers.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw, packNibbles, packSixBit} from './draw.js';

/** Ciphertext in which letters, stars or dots stand for some digits. */
const SEED = process.env.PAYLENS_SEED ?? '1';
const draw = new Draw(`${SEED} gaps`);

/** As many marks as digits are lost, and marks that say nothing of how many. */
const MARKS = ['X', '*', '.', '?', '#', '_'] as const;
const SHORT_MARKS = ['XX', '**', '..', '??', '...', '[...]', '<cut>', '…'] as const;
const LENGTHS = [1, 2, 3, 4, 7, 8, 15, 16, 17, 24, 32, 39, 40] as const;

const SETTINGS: readonly (readonly [block: number, heal: number, setting: Partial<Encryption>])[] =
  [
    [8, 1, {}],
    [8, 0, {mode: 'ecb'}],
    [16, 1, {algorithm: 'aes'}],
  ];

interface Gapped {
  readonly given: CaseJson;
  /** The whole plaintext, its fill included, in hex. */
  readonly plain: string;
  readonly from: number;
  readonly to: number;
}

/** Hex of `plain` of which `length` digits from `at` on are `mark`. */
function gapped(
  plain: Uint8Array | string,
  [block, heal, setting]: (typeof SETTINGS)[number],
  {at, length, mark}: {at: number; length: number; mark: string},
): Gapped {
  const ksn = draw.ksn();
  const hex = encrypt(plain, {ksn, ...setting})
    .toString('hex')
    .toUpperCase();
  const text = hex.slice(0, at) + mark + hex.slice(at + length);
  const from = Math.floor(at / 2 / block) * block;
  const to = Math.ceil((at + length) / 2 / block) * block + heal * block;
  const whole = bytesOf(plain).toString('hex').padEnd(hex.length, '0');
  return {
    given: {ciphertexts: [{hex: text}], ksn},
    plain: whole,
    from,
    to: Math.min(to, hex.length / 2),
  };
}

function placesIn(plain: Uint8Array | string, length: number): number[] {
  const digits = 16 * Math.ceil(bytesOf(plain).length / 8) - length;
  return Array.from({length: 6}, () => draw.below(digits));
}

describe(`a gap in the digits, seed ${SEED}`, () => {
  it.each(tenthOf(LENGTHS, (one) => `counted ${one}`))(
    'of %i that can be counted costs its blocks and no more',
    async (length) => {
      let tried = 0;
      for (const setting of SETTINGS) {
        const text = draw.track1() + draw.track2();
        for (const at of placesIn(text, length)) {
          const mark = draw.of(MARKS).repeat(length);
          const {given, plain, from, to} = gapped(text, setting, {at, length, mark});
          const {verdicts, plaintexts} = await diagnoseJson(given, {usualOnly: true});
          const detail = verdicts.find(({label}) => label === 'data-damaged')?.detail;
          const hex = plaintexts[0]?.hex ?? '';
          const kept = (one: string) => one.slice(0, 2 * from) + one.slice(2 * to);
          expect({detail, kept: kept(hex), at, given}).toEqual({
            detail: expect.stringContaining(`bytes ${from} to ${to - 1} of the plaintext`),
            kept: kept(plain),
            at,
            given,
          });
          tried++;
        }
      }
      expect(tried).toBe(18);
    },
  );

  it.each(tenthOf(LENGTHS, (one) => `uncounted ${one}`))(
    'of %i that nobody counted is found all the same',
    async (length) => {
      let damaged = 0;
      for (const setting of SETTINGS) {
        const text = draw.track1() + draw.track2();
        for (const at of placesIn(text, length)) {
          const mark = draw.of(SHORT_MARKS);
          const {given} = gapped(text, setting, {at, length, mark});
          const found = await diagnoseJson(given, {usualOnly: true});
          const shown = found.plaintexts.flatMap((one) => one.text.split(/\.\.\.| /));
          expect({solved: found.solved, wrong: wrongIn(shown, text), given}).toEqual({
            solved: true,
            wrong: [],
            given,
          });
          damaged += labelsOf(found).includes('data-damaged') ? 1 : 0;
        }
      }
      // A digit or two may be guessed where the run begins or ends.
      expect(damaged).toBeGreaterThanOrEqual(15);
    },
  );

  const packed: readonly (readonly [string, () => Uint8Array | string])[] = [
    ['track 1 in six bits', () => packSixBit(`${draw.track1()}`)],
    ['track 3 in nibbles', () => packNibbles(`;${draw.digits(158)}?`)],
    ['a track 2', () => `${draw.track2()}`],
    ['a list of tags', () => Buffer.concat([draw.tags(), moreTags()])],
  ];
  it.each(packed)('in %s is read, or nothing is said', async (_, make) => {
    let solved = 0;
    for (const setting of SETTINGS.slice(0, 2)) {
      for (let i = 0; i < 12; i++) {
        const plain = make();
        const length = 1 + draw.below(6);
        const [at = 0] = placesIn(plain, length);
        const mark = draw.of(MARKS).repeat(length);
        const made = gapped(plain, setting, {at, length, mark});
        const found = await diagnoseJson(made.given, {usualOnly: true});
        if (!found.solved) continue;
        solved++;
        const {from, plain: wanted} = made;
        const hex = found.plaintexts[0]?.hex ?? '';
        expect(hex.slice(0, 2 * from)).toBe(wanted.slice(0, 2 * from));
      }
    }
    expect(solved).toBeGreaterThanOrEqual(12);
  });

  it('in two places leaves what stands between them', async () => {
    const text = draw.track1() + draw.track2();
    const ksn = draw.ksn();
    const hex = encrypt(text, {ksn}).toString('hex');
    const cut = `${hex.slice(0, 34)}**${hex.slice(36, 120)}****${hex.slice(124)}`;
    const {verdicts} = await diagnoseJson({payload: cut, ksn}, {usualOnly: true});
    const detail = verdicts.find(({label}) => label === 'data-damaged')?.detail;
    expect(detail).toContain('bytes 16 to 31 and 56 to 71 of the plaintext');
  });

  it('in a member of JSON, a log line, or digits in pairs is found', async () => {
    const ksn = draw.ksn();
    const hex = encrypt(draw.track1(), {ksn}).toString('hex').toUpperCase();
    const cut = `${hex.slice(0, 50)}XX${hex.slice(52)}`;
    const texts = [
      JSON.stringify({ksn, track1: cut}),
      `2026-11-22 10:00 INFO data=${cut} ksn=${ksn}`,
      (cut.match(/../g) ?? []).join(' '),
      (cut.match(/.{1,32}/g) ?? []).join('\n'),
    ];
    for (const payload of texts) {
      const labels = labelsOf(await diagnoseJson({payload, ksn}, {usualOnly: true}));
      expect({payload, labels}).toEqual({
        payload,
        labels: expect.arrayContaining(['digits-missing', 'data-damaged']),
      });
    }
  });

  it.each(['#', '--', '...', 'X', '~'])(
    'is none where %s stands between two ciphertexts',
    async (mark) => {
      const ksn = draw.ksn();
      const texts = [draw.track1(), draw.track2()];
      const hex = texts.map((one) => encrypt(one, {ksn}).toString('hex'));
      const found = await diagnoseJson({payload: hex.join(mark), ksn}, {usualOnly: true});
      expect(found.plaintexts.map((one) => one.hex)).toEqual(
        texts.map((one) => expect.stringContaining(bytesOf(one).toString('hex'))),
      );
      expect(labelsOf(found)).not.toContain('data-damaged');
    },
  );

  it('beside what was decrypted is named with the digits that were not', async () => {
    const {devicePayload, ksn} = simulate({
      ...{deviceType: 'wisepad', mode: 'swiped', ksn: draw.ksn(), keys: testKeyRing()},
      card: {pan: draw.pan(), expiry: draw.expiry(), name: 'DOE/JANE', serviceCode: '201'},
    });
    const [[, second] = []] = readPayload(TERMINALS.wisepad, devicePayload).candidates;
    const hex = Buffer.from(second?.ciphertext ?? []).toString('hex');
    const at = devicePayload.toLowerCase().indexOf(hex) + 32;
    const text = `${devicePayload.slice(0, at)}${'*'.repeat(40)}${devicePayload.slice(at + 40)}`;
    const found = await diagnoseJson({payload: text, ksn}, {usualOnly: true});
    expect(found.solved).toBe(true);
    expect(labelsOf(found)).toEqual(expect.arrayContaining(['digits-missing', 'part-missing']));
  });

  it('in random digits is never taken for card data', async () => {
    for (let i = 0; i < (IS_LONG ? 40 : 8); i++) {
      const hex = draw.hex(8 * (2 + draw.below(20)));
      const length = 1 + draw.below(20);
      const at = draw.below(hex.length - length);
      const mark = draw.of([...SHORT_MARKS, '*'.repeat(length)]);
      const payload = hex.slice(0, at) + mark + hex.slice(at + length);
      const found = await diagnoseJson({payload, ksn: draw.ksn()}, {usualOnly: true});
      expect({payload, solved: found.solved}).toEqual({payload, solved: false});
    }
  });
});

describe('what is a gap', () => {
  const DIGITS = '0123456789ABCDEF0123456789ABCDEF';
  it.each([
    ['a sentence', 'The reader sends nothing but this.'],
    ['digits with blanks', (DIGITS.match(/../g) ?? []).join(' ')],
    ['whole digits', DIGITS],
    ['the stars of a masked copy', `;4111********1111=2712*********?*${DIGITS}`],
    [
      'the stars of a masked copy behind a head',
      `02F800801F01250003*ç4586********0506=****:*${DIGITS}`,
    ],
    ['a UUID', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['a time in brackets in front', `[2026-11-22 10:00] ${DIGITS}`],
    ['dots behind', `${DIGITS}...`],
    ['brackets around', `<${(DIGITS.match(/.{8}/g) ?? []).join(' ')}>`],
    ['XML', `<read><ksn>${DIGITS.slice(0, 20)}</ksn><track1>${DIGITS}</track1></read>`],
    ['quotes around', `“${DIGITS}”`],
    ['base64', Buffer.from(DIGITS).toString('base64')],
  ])('%s is none', (_, text) => expect(gappedHex(text)).toEqual([]));

  it.each(['XXXXXXXX', '********', '[12 cut]', '....ab..', '?? ?? ??', '<hidden>'])(
    '%s is one',
    (mark) => {
      const [{pieces, marks} = {pieces: [], marks: []}, ...more] = gappedHex(
        DIGITS + mark + DIGITS,
      );
      expect({pieces, marks: marks.length, more}).toEqual({
        pieces: [DIGITS, DIGITS],
        marks: 1,
        more: [],
      });
    },
  );

  it.each(['A1G', '[', '[a]', '(((1)))', 'AAAAAAAA*', '*', 'ab..', '<0>', '0G'])(
    'is told in a moment from %j over and over',
    (unit) => {
      for (const behind of ['', '!', '"', ' x']) {
        expect(() => gappedHex(unit.repeat(5000).slice(0, 16_000) + behind)).not.toThrow();
      }
    },
  );
});

/** What is shown as text and does not stand in `text`; a piece of fill is none. */
function wrongIn(pieces: readonly string[], text: string): string[] {
  return pieces.filter(
    (piece) => !text.replaceAll(' ', '').includes(piece.replaceAll(/[ \0]/g, '')),
  );
}

function moreTags(): Buffer {
  return Buffer.concat([
    tlv('5F20', Buffer.from('DOE/JANE ANN').toString('hex')),
    tlv('9F26', draw.hex(8)),
    tlv('9F10', draw.hex(20)),
    tlv('9F36', '0102'),
    tlv('9A', '261122'),
  ]);
}
