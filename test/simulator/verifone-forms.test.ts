import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {flatten, readTlv} from '../../src/engine/tlv/ber.js';
import {lrcOf} from '../engine/terminal.js';
import {simulate} from '../writers.js';

const keys = testKeyRing();
const KSN = 'FFFF9876543210E00B01';
const PAN = '4111111111111111';
const TRACKS = {
  track1: `%B${PAN}^DOE/JANE^28122010000123456?`,
  track2: `;${PAN}=281220100001234567?`,
};
const base = {name: 'DOE/JANE', expiry: '2812', serviceCode: '201', cvv: '737'};
const card = {id: 'own', title: '', pan: PAN, ...base, ...TRACKS};

type Options = Readonly<Record<string, string>>;

function made(mode: 'swiped' | 'emv' | 'keyed', options: Options, iv?: string): string {
  const simulation = {deviceType: 'verifone', mode, options, card, keys, ksn: KSN, iv} as const;
  return simulate(simulation).devicePayload;
}

function answered(mode: 'swiped' | 'emv' | 'keyed', options: Options, iv?: string) {
  return processPayload({deviceType: 'verifone', devicePayload: made(mode, options, iv)}, keys);
}

function valuesOf(hex: string): Readonly<Record<string, string>> {
  const objects = flatten(readTlv(new Uint8Array(Buffer.from(hex, 'hex'))).objects);
  return Object.fromEntries(
    objects.map(({tag, value}) => [tag, Buffer.from(value).toString('hex')]),
  );
}

describe('verifone, what stands beside the ciphertext', () => {
  // docs/terminals/verifone.md#vipa-tags: the byte AA hides a character, the nibble A a digit.
  const hidden = (count: number) => '\xaa'.repeat(count);
  const latin1 = (text: string) => Buffer.from(text, 'latin1').toString('hex');

  it('of a swipe: both tracks, the middle of the PAN and all behind the expiry hidden', () => {
    const {DFDB05, DFDB06, ...rest} = valuesOf(made('swiped', {form: 'tags'}));
    expect(DFDB05).toBe(latin1(`%B411111${hidden(6)}1111^DOE/JANE^2812${hidden(13)}?\xaa`));
    expect(DFDB06).toBe(latin1(`;411111${hidden(6)}1111=2812${hidden(14)}?\xaa`));
    expect(Object.keys(rest)).toEqual(['E0', 'FF7F', 'DFDF11', 'DFDF10', 'DFDB0F']);
  });

  it('of a swipe: only the track that was read', () => {
    const [one, two] = ['1', '2'].map((tracks) => valuesOf(made('swiped', {form: 'tags', tracks})));
    expect([one?.DFDB05 !== undefined, one?.DFDB06]).toEqual([true, '']);
    expect([two?.DFDB05, two?.DFDB06 !== undefined]).toEqual(['', true]);
  });

  it('of a chip: PAN and track 2 equivalent, hidden but for ends, expiry and service code', () => {
    const values = valuesOf(made('emv', {form: 'tags'}));
    expect(values['5A']).toBe('411111aaaaaa1111');
    expect(values['57']).toMatch(/^411111aaaaaa1111d2812201a+$/);
    expect(values['5F24']).toMatch(/^2812/);
    expect(made('emv', {form: 'tags'})).toMatch(/^E2/);
  });

  it('is an IV in front where one is given, and none of ECB', () => {
    const iv = '0F1E2D3C4B5A6978';
    expect(made('emv', {form: 'triple'}, iv)).toMatch(
      new RegExp(`^DFDF1208${iv}DFDF110A${KSN}DFDF10`),
    );
    expect(made('emv', {form: 'triple'})).toMatch(new RegExp(`^DFDF110A${KSN}DFDF10`));
    expect(made('emv', {form: 'triple', cipher: 'ecb'})).toMatch(/^DFDF11/);
    expect(made('swiped', {form: 'tvp'}, iv)).toMatch(
      new RegExp(`^TVP\\|iv:${iv}\\|ksn:${KSN}\\|vipa:`),
    );
    expect(made('swiped', {form: 'tvp'})).toMatch(new RegExp(`^TVP\\|ksn:${KSN}\\|vipa:`));
  });

  it('are frames: unsolicited of a swipe, answers of a chip', () => {
    expect(made('swiped', {}).slice(0, 4)).toBe('0140');
    expect(made('emv', {}).slice(0, 4)).toBe('0100');
  });
});

describe('verifone, XPI', () => {
  it('is a blob in hex, the same in base64, and that in message E07', () => {
    for (const [mode, type] of [
      ['swiped', '01'],
      ['emv', '02'],
      ['keyed', '03'],
    ] as const) {
      const blob = made(mode, {form: 'blob'});
      const base64 = Buffer.from(blob, 'hex').toString('base64');
      expect(made(mode, {form: 'base64'})).toBe(base64);
      expect(made(mode, {form: 'e07'})).toBe(`E070005\x1c${type}\x1c${base64}`);
      const body = `E070005\x1c${type}\x1c${base64}\x03`;
      const lrc = [...body].reduce((xor, character) => xor ^ character.charCodeAt(0), 0);
      expect(made(mode, {form: 'message'})).toBe(`\x02${body}${String.fromCharCode(lrc)}`);
    }
  });
});

describe('verifone gives the card back', () => {
  const t1 = TRACKS.track1;
  const t2 = TRACKS.track2;

  it.each(['frames', 'tags', 'triple', 'tvp', 'base64', 'e07', 'message', 'blob'])(
    'as %s',
    (form) => {
      for (const mode of ['swiped', 'emv', 'keyed'] as const) {
        const {extracted, meta} = answered(mode, {form});
        expect([extracted.PAN, meta.mode]).toEqual([PAN, mode]);
      }
    },
  );

  it.each([
    ['tlv', {track1: t1, track2: t2}],
    ['tracks', {track1: t1, track2: t2}],
    ['track2', {track1: undefined, track2: t2}],
    ['track2-full', {track1: undefined, track2: t2}],
  ])('of the content %s: %j', (content, {track1, track2}) => {
    const found = answered('swiped', {content});
    expect([found.track1?.ascii, found.track2?.ascii]).toEqual([track1, track2]);
  });

  it('with the tracks in their order, each with its LRC', () => {
    const {track1, track2} = answered('swiped', {content: 'tracks', form: 'triple'});
    const decrypted = [track1, track2].map((track) => Buffer.from(track?.decrypted ?? '', 'hex'));
    expect(decrypted.map(String)).toEqual([t1 + lrcOf(t1), t2 + lrcOf(t2)]);
  });

  it('of keyed entry with its CVV', () => {
    expect(answered('keyed', {}).extracted.CVV).toBe('737');
  });

  it('of no tracks: 9001', () => {
    for (const tracks of ['3', '4', '12x']) {
      expect(() => made('swiped', {tracks})).toThrow(expect.objectContaining({code: 9001}));
    }
  });
});
