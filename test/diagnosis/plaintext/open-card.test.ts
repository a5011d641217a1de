import {describe, expect, it} from 'vitest';
import {fillOf, openCard, pansOf} from '../../../src/diagnosis/plaintext/open-card.js';
import {lrcOf, tlv} from '../../engine/terminal.js';
import {Draw, packNibbles, packSixBit} from '../draw.js';

const draw = new Draw('open card');
const hex = (text: string) => Buffer.from(text, 'hex');

describe('a card in a plaintext', () => {
  it.each([1, 2, 3, 4, 5])('is a track in characters, packed or not (%i)', () => {
    const [one, two] = [draw.track1(), draw.track2()];
    expect(openCard(Buffer.from(one))).toMatchObject({packing: 'ascii', text: one});
    expect(openCard(Buffer.from(one.slice(1)))).toMatchObject({packing: 'ascii'});
    expect(openCard(Buffer.from(two))).toMatchObject({packing: 'ascii', text: two});
    expect(openCard(packNibbles(two + lrcOf(two)))).toMatchObject({packing: '4bit', text: two});
    expect(openCard(packSixBit(one + lrcOf(one)))).toMatchObject({packing: '6bit', text: one});
  });

  it('is track 2 equivalent data in packed digits', () => {
    const found = openCard(hex('4111111111111111D27122011234567890FFFFFFFFFFFFFF'.slice(0, 48)));
    expect(found).toMatchObject({packing: 'bcd'});
    expect(found?.content?.track2equivalent?.text).toBe('4111111111111111d27122011234567890');
  });

  it('is a number in packed digits, with the evidence of its padding', () => {
    const found = openCard(hex('4111111111111111FFFFFFFFFFFFFFFF'));
    expect(found).toMatchObject({packing: 'bcd', text: '4111111111111111', fill: 'ff'});
    const padding = found?.facts.find(({kind}) => kind === 'padding');
    // Sixteen nibbles of one value, less the choice of the value.
    expect(padding?.bits).toBe(16 * 4 - 2);
    const bare = openCard(hex('4111111111111111'));
    expect(bare?.facts.map(({kind}) => kind)).toEqual(['grammar', 'other']);
    expect(bare?.fill).toBeUndefined();
  });

  it('is worth more when its number satisfies Luhn', () => {
    const bits = (pan: string) => openCard(hex(pan))?.bits ?? 0;
    expect(bits('4111111111111111') - bits('4111111111111112')).toBeCloseTo(3.3, 6);
    const found = openCard(hex('4111111111111111'));
    expect(found?.facts.find(({kind}) => kind === 'other')?.bits).toBe(3.3);
  });

  it('is a list, with its values', () => {
    const list = Buffer.concat([tlv('5A', '4111111111111111'), tlv('5F24', '271231')]);
    const found = openCard(list);
    expect(found).toMatchObject({packing: 'tlv', text: '5A=4111111111111111 5F24=271231'});
    expect(found?.facts.map(({kind}) => kind)).toContain('walk');
    expect(found?.contradiction).toBeUndefined();
  });

  it('of two numbers contradicts itself, and agreement counts for nothing', () => {
    const two = Buffer.concat([
      tlv('5A', '4111111111111111'),
      tlv('57', '5555555555554444D27122011234567F'),
      tlv('5F24', '271231'),
    ]);
    const found = openCard(two);
    expect(found?.contradiction).toMatch(/57/);
    expect(found?.facts.map(({kind}) => kind)).not.toContain('agreement');
  });

  it('is none in text, random bytes and short numbers', () => {
    expect(openCard(Buffer.from('hello, terminal!'))).toBeUndefined();
    expect(openCard(hex('41111111FFFFFFFF'))).toBeUndefined();
    const found = Array.from({length: 300}, () => openCard(draw.bytes(24)));
    expect(found.filter((one) => one && one.bits >= 30)).toEqual([]);
  });

  it('tells its numbers once each', () => {
    const {content = {}} = openCard(Buffer.from(';4111111111111111=27122011234567890?')) ?? {};
    expect(pansOf({...content, pan: '4111111111111111'})).toEqual(['4111111111111111']);
    expect(pansOf({...content, pan: '5555555555554444'})).toHaveLength(2);
  });

  it('names the padding behind it', () => {
    expect(fillOf(hex('AA0000'), 1)).toBe('zero');
    expect(fillOf(hex('AA800000'), 1)).toBe('iso7816');
    expect(fillOf(hex('AA'), 1)).toBeUndefined();
    expect(fillOf(hex('AABB'), 1)).toBeUndefined();
  });
});
