import {describe, expect, it} from 'vitest';
import {answer} from '../samples.js';
import {lrcOf} from '../terminal.js';
import {type EnhancedSpec, enhanced, sha1, T2} from './idtech-frames.js';

const NO_CVV = ';4012888888881881=2212?';
const CVV = ';4012888888881881=2212:123?';

function entry(text: string, more: Partial<EnhancedSpec> = {}) {
  const plain = text + lrcOf(text);
  const copy = plain.replace(/(?<=;\d{4})\d{8}/, '********').replace(/:\d+/, ':***');
  const tracks = [undefined, {plain, copy: `${copy.slice(0, -1)}*`, hash: sha1(plain)}];
  const devicePayload = enhanced({type: 0xc0, tracks, ...more});
  return answer({deviceType: 'idtech', devicePayload});
}

describe('enhanced keyed entry', () => {
  for (const form of ['hex', 'binary', 'keyboard'] as const) {
    it(`gives PAN, expiry and CVV, ${form} form`, () => {
      expect(entry(CVV, {form})).toMatchObject({
        response: {
          meta: {mode: 'keyed'},
          keyed: {ascii: CVV, length: CVV.length, masked: ';401288******1881=2212:***?'},
          extracted: {PAN: '4012888888881881', EXPY: '1222', CVV: '123'},
        },
      });
    });
  }

  it('keeps the LRC in decrypted and leaves it out of ascii', () => {
    const decrypted = Buffer.from(CVV + lrcOf(CVV)).toString('hex');
    expect(entry(CVV)).toMatchObject({response: {keyed: {decrypted, ascii: CVV}}});
  });

  it('opens without a CVV', () => {
    const found = entry(NO_CVV);
    expect(found).toMatchObject({response: {keyed: {masked: ';401288******1881=2212?'}}});
    expect(found).not.toHaveProperty('response.extracted.CVV');
  });

  it('has no track 2', () => {
    expect(entry(CVV)).not.toHaveProperty('response.track2');
  });

  it('opens with and without a serial number', () => {
    expect(entry(CVV, {serial: '742T090094'})).toMatchObject({
      response: {meta: {serial: '742T090094'}},
    });
  });

  it('takes a single additional field for the ZIP, as sent', () => {
    const found = entry(CVV, {additional: '098745='});
    expect(found).toMatchObject({response: {extracted: {ZIP: '098745'}}});
    expect(found).not.toHaveProperty('response.extracted.street');
  });

  it('takes two additional fields for street and ZIP', () => {
    expect(entry(CVV, {additional: '15=090210='})).toMatchObject({
      response: {extracted: {street: '15', ZIP: '090210'}},
    });
  });

  it('does not guess what three additional fields mean', () => {
    const found = entry(CVV, {additional: '15=090210=7='});
    expect(found).toHaveProperty('response.extracted.PAN');
    expect(found).not.toHaveProperty('response.extracted.ZIP');
  });

  it('whose masked copy shows another card: 2601', () => {
    const plain = CVV + lrcOf(CVV);
    const copy = ';4111********1881=2212:****?*';
    const none = {plain, copy: copy.slice(0, plain.length), hash: null};
    expect(entry(CVV, {tracks: [undefined, none]})).toMatchObject({errCode: 2601});
  });

  it('without a PAN in its place: 2800', () => {
    expect(entry(';12345=2212?')).toMatchObject({errCode: 2800});
  });

  it('whose plaintext is a swiped track: 2601', () => {
    expect(entry(T2)).toMatchObject({errCode: 2601});
  });
});
