import {describe, expect, it} from 'vitest';
import {answer} from '../samples.js';
import {lrcOf} from '../terminal.js';
import {frame, keyedOriginal, original, T1, T2, T3} from './idtech-frames.js';

function ask(devicePayload: string) {
  return answer({deviceType: 'idtech', devicePayload});
}

const t1 = T1 + lrcOf(T1);
const t2 = T2 + lrcOf(T2);
const t3 = T3 + lrcOf(T3);

describe('an original swipe frame', () => {
  for (const form of ['hex', 'binary', 'keyboard'] as const) {
    it(`opens tracks 1 and 2 as one chain, ${form} form`, () => {
      expect(ask(original({t1, t2, form}))).toMatchObject({
        response: {track1: {ascii: T1}, track2: {ascii: T2}, meta: {mode: 'swiped'}},
      });
    });
  }

  it('opens with track 2 alone', () => {
    expect(ask(original({t2}))).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it('opens with track 1 alone', () => {
    expect(ask(original({t1}))).toMatchObject({response: {track1: {ascii: T1}}});
  });

  it('opens with null hashes', () => {
    expect(ask(original({t1, t2, hashes: false}))).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it('returns the third track that stands in clear', () => {
    expect(ask(original({t1, t2, t3}))).toMatchObject({response: {track3: {ascii: T3}}});
  });

  it('returns the third track that stands inside the ciphertext', () => {
    expect(ask(original({t1, t2, t3, t3Inside: true}))).toMatchObject({
      response: {track1: {ascii: T1}, track3: {ascii: T3}},
    });
  });

  // AES fills to 16 bytes, TDES to 8 (ID TECH's SecureMag user manual, output format), and no field
  // names the cipher: the length tells it, but not when both fill to the same.
  for (const [what, spec] of [
    ['a length that only AES has', {t2}],
    ['a length that TDES has, too', {t1, t2}],
    ['the third track in clear', {t1, t2, t3}],
    ['the third track inside', {t1, t2, t3, t3Inside: true}],
  ] as const) {
    it(`opens under AES: ${what}`, () => {
      expect(ask(original({...spec, algorithm: 'aes'}))).toMatchObject({
        response: {track2: {ascii: T2}},
      });
    });
  }

  it('names no serial of its own', () => {
    expect(ask(original({t1, t2}))).toMatchObject({response: {meta: {serial: 'FFFF9876543210'}}});
  });

  for (const type of [1, 3]) {
    it(`of type 0${type} opens like 00`, () => {
      expect(ask(original({type, t1, t2}))).toMatchObject({response: {track2: {ascii: T2}}});
    });

    it(`of type 0${type} in clear: 2110`, () => {
      const clear = '%CAANYTOWN^DOE$JANE^1 MAIN ST^?';
      const head = Buffer.from([type, 0x3f, clear.length, 0, 0]);
      expect(ask(frame([head, {literal: clear}]))).toMatchObject({errCode: 2110});
    });
  }

  it('in clear: 2110', () => {
    const head = Buffer.from([0, 0x3f, 0, T2.length, 0]);
    expect(ask(frame([head, {literal: T2}]))).toMatchObject({errCode: 2110});
  });

  it('without any track: 2100', () => {
    expect(ask(frame([Buffer.from([0, 0x3f, 0, 0, 0])]))).toMatchObject({errCode: 2100});
  });

  it('whose ciphertext has another length than its tracks: 2101', () => {
    const head = Buffer.from([0, 0x3f, 0, t2.length, 0]);
    const pieces = [head, {literal: '*'.repeat(t2.length)}, Buffer.alloc(56 + 30, 5)];
    expect(ask(frame(pieces))).toMatchObject({errCode: 2101});
  });
});

describe('original keyed entry', () => {
  const plain = '4012888888881881=2712=123';

  for (const form of ['hex', 'keyboard'] as const) {
    it(`gives PAN, expiry and CVV, ${form} form`, () => {
      expect(ask(keyedOriginal({plain, form}))).toMatchObject({
        response: {
          meta: {mode: 'keyed'},
          keyed: {ascii: plain, length: 25, masked: '401288******1881=2712=***'},
          extracted: {PAN: '4012888888881881', EXPY: '1227', CVV: '123'},
        },
      });
    });
  }

  it('opens without a CVV', () => {
    const found = ask(keyedOriginal({plain: '4242424242424242=1511='}));
    expect(found).toMatchObject({response: {keyed: {masked: '424242******4242=1511='}}});
    expect(found).not.toHaveProperty('response.extracted.CVV');
  });

  it('opens with the null hash of newer readers', () => {
    expect(ask(keyedOriginal({plain, hash: Buffer.alloc(20)}))).toMatchObject({
      response: {keyed: {ascii: plain}},
    });
  });

  it('refuses another hash: 2601', () => {
    expect(ask(keyedOriginal({plain, hash: Buffer.alloc(20, 1)}))).toMatchObject({errCode: 2601});
  });

  it('has no track 2', () => {
    expect(ask(keyedOriginal({plain}))).not.toHaveProperty('response.track2');
  });

  for (let present = 0; present < 8; present++) {
    const more = {
      ...(present & 1 ? {zip: '90210'} : {}),
      ...(present & 2 ? {adr: '81'} : {}),
      ...(present & 4 ? {exp: '2712'} : {}),
    };
    it(`returns what stands beside it in clear: ${Object.keys(more).join(', ') || 'nothing'}`, () => {
      const found = ask(keyedOriginal({plain, ...more}));
      const {street, ZIP} = found.response?.extracted ?? {};
      expect({street, ZIP}).toEqual({street: more.adr, ZIP: more.zip});
    });
  }

  it('without a PAN in its place: 2800', () => {
    expect(ask(keyedOriginal({plain: '12345=2712=123'}))).toMatchObject({errCode: 2800});
  });

  it('without any ciphertext: 2100', () => {
    expect(ask(keyedOriginal({plain: ''}))).toMatchObject({errCode: 2100});
  });
});
