import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, TERMINALS} from '../../../src/engine/families/registry.js';
import {verifoneMode} from '../../../src/engine/families/verifone/blocks.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {readTlv} from '../../../src/engine/tlv/ber.js';
import {Trace} from '../../../src/engine/trace.js';
import {untiled} from '../../untiled.js';
import {answer} from '../samples.js';
import {type Encryption, encrypt, lrcOf, tlv} from '../terminal.js';
import {chainedFrames, linkFrame, SUCCESS} from './link-frames.js';

const KSN = 'FFFF9876543210E00B01';
const IV = '0F1E2D3C4B5A6978';
const PAN = '4761739001010010';
const TRACK_1 = `%B${PAN}^SAMPLE/VIPA^28122011143844489?`;
const TRACK_2 = `;${PAN}=28122011143844489?`;
const CHIP = Buffer.concat([tlv('57', `${PAN}D28122011143844489`), tlv('5A', PAN)]);
const SWIPE = tlv('DFDB06', Buffer.from(TRACK_2 + lrcOf(TRACK_2)));

function triple(plain: string | Uint8Array, more: Partial<Encryption> = {}): Buffer {
  const {iv = IV, ksn = KSN, ...rest} = more;
  const hasIv = rest.mode !== 'ecb';
  const cipher = encrypt(plain, {ksn, fill: 'iso7816', ...rest, ...(hasIv ? {iv} : {})});
  const parts = [tlv('DFDF11', ksn), tlv('DFDF10', cipher)];
  return Buffer.concat(hasIv ? [tlv('DFDF12', iv), ...parts] : parts);
}

function sred(plain: string | Uint8Array, more: Partial<Encryption> = {}): Buffer {
  return tlv('FF7F', triple(plain, more));
}

function hex(...parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('hex').toUpperCase();
}

function read(devicePayload: string, more: {ksn?: string; iv?: string} = {}) {
  return answer({deviceType: 'verifone', devicePayload, ...more});
}

function card(more: object = {}) {
  return {response: {extracted: {PAN}, ...more}};
}

describe('verifone, VIPA', () => {
  it.each(['iso7816', 'pkcs7', 'x923', 'zero'] as const)('takes %s padding', (fill) => {
    expect(read(hex(triple(CHIP, {fill})))).toMatchObject(card({meta: {mode: 'emv'}}));
  });

  it.each([
    ['91', 'swiped'],
    ['07', 'emv'],
  ])('calls a chip list beside POS entry mode %s %s', (entry, mode) => {
    const payload = hex(tlv('9F39', entry), sred(CHIP));
    expect(read(payload)).toMatchObject(card({meta: {mode}}));
  });

  it('takes frames, templates, FF7F and the bare triple, in hex and in binary', () => {
    const message = Buffer.concat([tlv('E4', sred(CHIP)), SUCCESS]);
    const payloads = [
      hex(triple(CHIP)),
      hex(sred(CHIP)),
      hex(tlv('E4', sred(CHIP))),
      hex(linkFrame(message)),
      hex(chainedFrames(message, 25)),
      linkFrame(message).toString('latin1'),
    ];
    for (const payload of payloads) expect(read(payload)).toMatchObject(card());
  });

  it('gives a block that a later frame repeats once', () => {
    const message = Buffer.concat([tlv('E2', sred(CHIP)), SUCCESS]);
    const payload = hex(linkFrame(message), linkFrame(message, 0x40));
    expect(read(payload)).toMatchObject(card({tlv: {decrypted: CHIP.toString('hex')}}));
  });

  it('names every byte of chained frames', () => {
    const frames = chainedFrames(Buffer.concat([tlv('E4', sred(CHIP)), SUCCESS]), 25);
    const trace = new Trace();
    readPayload(TERMINALS.verifone, hex(frames), trace);
    expect(untiled(trace, frames.length)).toBeUndefined();
  });

  it('gives the parts of a read in their order', () => {
    const [one, other] = [CHIP, tlv('57', `${PAN}D28122011143844489`)];
    const found = read(hex(sred(one), sred(other)));
    expect(found).toMatchObject(card({tlv: {decrypted: hex(one, other).toLowerCase()}}));
    const turned = read(hex(sred(other), sred(one)));
    expect(turned).toMatchObject(card({tlv: {decrypted: hex(other, one).toLowerCase()}}));
  });

  it('takes 32 blocks, and not one more: 2100', () => {
    const blocks = Array.from({length: 33}, (_, i) =>
      sred(Buffer.concat([CHIP, tlv('9F41', i.toString(16).padStart(8, '0'))])),
    );
    expect(read(hex(...blocks.slice(1)))).toMatchObject(card());
    expect(read(hex(...blocks))).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('at most 32'),
    });
  });

  it('refuses the same card under two KSNs: 2100', () => {
    const other = triple(CHIP, {ksn: 'FFFF9876543210E00B02'});
    expect(read(hex(triple(CHIP), other))).toMatchObject({errCode: 2100});
  });

  it('takes a PAN alone only with the masked copy that proves it', () => {
    const pan = '476173900101';
    const alone = sred(tlv('5A', pan), {fill: 'zero'});
    const expiry = tlv('5F24', '281231');
    expect(read(hex(alone, expiry, tlv('5A', '476173AA0101')))).toMatchObject({
      response: {extracted: {PAN: pan}},
    });
    expect(read(hex(alone, expiry))).toMatchObject({errCode: 2601});
  });

  it.each([
    ['5F21', 'swiped'],
    ['5F22', 'swiped'],
    ['5F23', 'swiped'],
    ['DFDB05', 'swiped'],
    ['DFDB06', 'swiped'],
    ['DFDB01', 'keyed'],
    ['57', 'emv'],
  ])('calls a list that holds %s %s', (tag, mode) => {
    const bytes = new Uint8Array(tlv('70', tlv(tag, '00')));
    expect(verifoneMode({tlv: [{bytes, objects: readTlv(bytes).objects}]})).toBe(mode);
  });

  it.each(['DF837F', 'DF836F', 'DFED6C', 'DFDF13', 'DFDF15'])(
    'knows that %s holds no digits',
    (tag) => {
      const trace = new Trace();
      const payload = hex(tlv('E0', tlv(tag, PAN)), sred(CHIP));
      readPayload(TERMINALS.verifone, payload, trace);
      expect(trace.parts.find(({name}) => name.startsWith(tag))?.sensitivity).toBe('opaque');
    },
  );

  it('refuses two blocks whose tags 57 are of different cards', () => {
    const other = tlv('57', '4012888888881881D28122011143844489');
    expect(read(hex(sred(CHIP), sred(other)))).toMatchObject({errCode: 2601});
  });

  it.each([
    ['another tag in front', Buffer.concat([tlv('4F', 'A0000000031010'), CHIP])],
    ['a template around it', tlv('70', CHIP)],
  ])('reads a list with %s', (_, plain) => {
    const decrypted = plain.toString('hex');
    expect(read(hex(sred(plain)))).toMatchObject(card({tlv: {decrypted}}));
  });

  it('takes KSN, IV and ciphertext in any order', () => {
    const cipher = tlv('DFDF10', encrypt(CHIP, {ksn: KSN, iv: IV, fill: 'iso7816'}));
    const [ksn, iv] = [tlv('DFDF11', KSN), tlv('DFDF12', IV)];
    for (const parts of [
      [cipher, ksn, iv],
      [ksn, cipher, iv],
      [iv, ksn, cipher],
    ]) {
      expect(read(hex(...parts))).toMatchObject(card());
    }
  });

  it.each([
    ['track2', TRACK_2.slice(1, -1)],
    ['track2-full', TRACK_2 + lrcOf(TRACK_2)],
  ])('reads the format %s', (_, text) => {
    expect(read(hex(triple(text)))).toMatchObject(
      card({meta: {mode: 'swiped'}, track2: {ascii: TRACK_2, encoding: 'hex'}}),
    );
  });

  it('reads both tracks as one text', () => {
    const text = TRACK_1 + lrcOf(TRACK_1) + TRACK_2 + lrcOf(TRACK_2);
    expect(read(hex(triple(text)))).toMatchObject(
      card({track1: {ascii: TRACK_1}, track2: {ascii: TRACK_2}}),
    );
  });

  it('reads keyed entry with the expiry as YYMM', () => {
    const plain = Buffer.concat([
      tlv('DFDB01', '374245001751006F'),
      tlv('DFDB03', '2812'),
      tlv('DFDB02', Buffer.from('1234')),
    ]);
    expect(read(hex(sred(plain)))).toMatchObject({
      response: {
        meta: {mode: 'keyed'},
        extracted: {PAN: '374245001751006', EXPY: '1228', CVV: '1234'},
      },
    });
  });

  it('tries ECB only where DFDF12 is absent', () => {
    const cipher = encrypt(CHIP, {ksn: KSN, mode: 'ecb', fill: 'iso7816'});
    const block = Buffer.concat([tlv('DFDF11', KSN), tlv('DFDF10', cipher)]);
    expect(read(hex(block))).toMatchObject(card());
    expect(read(hex(tlv('DFDF12', IV), block))).toMatchObject({errCode: 2601});
  });

  it("takes the request's IV where DFDF12 is absent, and says that it is missing", () => {
    const cipher = encrypt(SWIPE, {ksn: KSN, iv: IV, fill: 'iso7816'});
    const text = encrypt(TRACK_2 + lrcOf(TRACK_2), {ksn: KSN, iv: IV});
    const block = (data: Buffer) => hex(tlv('DFDF11', KSN), tlv('DFDF10', data));
    expect(read(block(cipher), {iv: IV})).toMatchObject(card());
    expect(read(block(cipher))).toMatchObject({errCode: 2602});
    expect(read(block(text))).toMatchObject({errCode: 2602});
  });

  it('answers 2602 when the request has another IV than DFDF12', () => {
    expect(read(hex(triple(CHIP)), {iv: '0000000000000000'})).toMatchObject({errCode: 2602});
  });

  it('lets the request name the KSN of the PAN block or of the PIN', () => {
    const others = ['FFFF9876543210E00B02', 'F876543210000680001C'] as const;
    const payload = hex(sred(CHIP), tlv('DFDF14', others[0]), tlv('DFED03', others[1]));
    for (const ksn of others) expect(read(payload, {ksn})).toMatchObject(card());
  });

  it('answers 2400 without a KSN', () => {
    const cipher = encrypt(CHIP, {ksn: KSN, iv: IV});
    expect(read(hex(tlv('DFDF12', IV), tlv('DFDF10', cipher)))).toMatchObject({errCode: 2400});
  });

  it('answers 2100 when DFDB0F says that encryption failed', () => {
    const payload = hex(tlv('FF7F', Buffer.concat([triple(CHIP), tlv('DFDB0F', '00000001')])));
    expect(read(payload)).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('DFDB0F'),
    });
  });

  it.each([
    ['57', '476174AAAAAA0010D2812201AAAAAAAAAA'],
    ['5A', '476173AAAAAA0011'],
    ['DFDB06', Buffer.from(';476173\xaa\xaa\xaa\xaa\xaa\xaa0019=2812\xaa?\xaa', 'latin1')],
    ['DFDB05', Buffer.from('%B476174\xaa\xaa\xaa\xaa\xaa\xaa0010^A/B^2812\xaa?\xaa', 'latin1')],
  ])('answers 2601 when the masked copy %s shows another card', (tag, value) => {
    expect(read(hex(sred(CHIP), tlv(tag, value)))).toMatchObject({errCode: 2601});
  });

  it('answers 2100 when DFDB0F says that encryption failed and the card is in clear', () => {
    const failed = Buffer.concat([tlv('DFDB0F', '00000001'), CHIP]);
    expect(read(hex(tlv('E4', failed)))).toMatchObject({errCode: 2100});
  });

  it('compares each track with its masked copy, whose hidden characters are bytes AA', () => {
    const text = Buffer.concat([SWIPE, tlv('DFDB05', Buffer.from(TRACK_1 + lrcOf(TRACK_1)))]);
    const masked = (last: string) => [
      tlv('DFDB06', Buffer.from(`;476173${'\xaa'.repeat(6)}0010=2812\xaa\xaa?\xaa`, 'latin1')),
      tlv(
        'DFDB05',
        Buffer.from(`%B476173${'\xaa'.repeat(6)}${last}^${TRACK_1.split('^')[1]}^2812?`, 'latin1'),
      ),
    ];
    expect(read(hex(...masked('0010'), sred(text)))).toMatchObject(card({meta: {mode: 'swiped'}}));
    expect(read(hex(...masked('0011'), sred(text)))).toMatchObject({errCode: 2601});
  });

  it('takes masked copies that show the first six digits only', () => {
    expect(read(hex(sred(CHIP), tlv('5A', '476173AAAAAAAAAA')))).toMatchObject(card());
  });

  it('answers 2110 to clear card data without a ciphertext', () => {
    for (const clear of [CHIP, SWIPE]) expect(read(hex(clear))).toMatchObject({errCode: 2110});
  });

  it('answers 2100 to tags without card data, and does not recognise them', () => {
    const payload = hex(tlv('E0', tlv('9F02', '000000001000')));
    expect(read(payload)).toMatchObject({errCode: 2100});
    expect(recognise(payload, KNOWN_TERMINALS)).toStrictEqual([]);
  });

  it('answers 2102 when the ciphertext is not whole blocks', () => {
    expect(read(hex(tlv('DFDF11', KSN), tlv('DFDF10', '00112233')))).toMatchObject({errCode: 2102});
  });

  it('answers 2101 to a wrong LRC before it looks at the tags', () => {
    const frame = linkFrame(Buffer.from('FFFFFF9000', 'hex'));
    frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 0x10;
    expect(read(hex(frame))).toMatchObject({errCode: 2101});
  });

  it('is recognised as verifone and as nothing else', () => {
    expect(recognise(hex(tlv('E4', sred(CHIP))), KNOWN_TERMINALS)).toStrictEqual(['verifone']);
  });
});

describe('verifone, the PAN template FF7E', () => {
  const masked = tlv('5A', '476173AAAAAA0010');
  const expiry = tlv('5F24', '281231');

  function panTemplate(plain: string | Uint8Array): Buffer {
    const cipher = encrypt(plain, {ksn: KSN, iv: IV, fill: 'iso7816'});
    return tlv('FF7E', [tlv('DFDF15', IV), tlv('DFDF14', KSN), tlv('DFDF13', cipher)].reduce(join));
  }

  function join(a: Buffer, b: Buffer): Buffer {
    return Buffer.concat([a, b]);
  }

  it.each([
    ['5A', tlv('5A', PAN)],
    ['packed digits', Buffer.from(PAN, 'hex')],
    ['ASCII digits', Buffer.from(PAN)],
  ])('is read as %s beside a masked copy', (_, plain) => {
    expect(read(hex(panTemplate(plain), masked, expiry))).toMatchObject(card());
  });

  // 12 to 19 digits, two in a byte: every length that a packed card number has, with its filler.
  it.each([12, 13, 14, 15, 16, 17, 18, 19])('is read as %i packed digits', (length) => {
    const pan = '4761739001010010012'.slice(0, length);
    const copy = `${pan.slice(0, 6)}A${pan.slice(7)}`;
    const even = (digits: string) => digits.padEnd(digits.length + (digits.length % 2), 'F');
    const payload = [panTemplate(Buffer.from(even(pan), 'hex')), tlv('5A', even(copy)), expiry];
    expect(read(hex(...payload))).toMatchObject({response: {extracted: {PAN: pan, EXPY: '1228'}}});
  });

  it.each([
    ['5A', tlv('5A', PAN)],
    ['packed digits', Buffer.from(PAN, 'hex')],
    ['ASCII digits', Buffer.from(PAN)],
  ])('as %s beside a masked copy of another card answers 2601', (_, plain) => {
    for (const copy of [tlv('5A', '476173AAAAAA0011'), tlv('57', '476174AAAAAA0010D2812')]) {
      expect(read(hex(panTemplate(plain), copy, expiry))).toMatchObject({errCode: 2601});
    }
  });

  it('as packed digits is told from a shorter number by the masked copy', () => {
    // Behind 14 digits, the byte 01 is PKCS#7 padding or two digits more.
    const plain = Buffer.from('4761739001010001', 'hex');
    for (const pan of ['4761739001010001', '47617390010100']) {
      const copy = `${pan.slice(0, 6)}A${pan.slice(7)}`;
      const cipher = encrypt(plain, {ksn: KSN, iv: IV, fill: 'none'});
      const parts = [tlv('DFDF15', IV), tlv('DFDF14', KSN), tlv('DFDF13', cipher)];
      const payload = hex(tlv('FF7E', Buffer.concat(parts)), tlv('5A', copy), expiry);
      expect(read(payload)).toMatchObject({response: {extracted: {PAN: pan}}});
    }
  });

  it.each(['4761AAAAAAAAAAAA', '47AAAAAAAAAAAAAA'])(
    'needs more digits than the copy %s shows',
    (copy) => {
      const bare = panTemplate(Buffer.from(PAN, 'hex'));
      expect(read(hex(bare, tlv('5A', copy), expiry))).toMatchObject({
        errCode: 2601,
        message: expect.stringContaining('more digits'),
      });
    },
  );

  it.each([
    ['letters', Buffer.from('4761739001010ABC')],
    ['11 digits', Buffer.from('47617390010')],
    ['20 digits', Buffer.from('47617390010100100123')],
    ['digits and data behind them', Buffer.from(`${PAN}=28`)],
    ['packed digits and data behind them', Buffer.from(`${PAN}D2812201`, 'hex')],
  ])('of %s answers 2601', (_, plain) => {
    expect(read(hex(panTemplate(plain), masked, expiry))).toMatchObject({errCode: 2601});
  });

  it('answers 2100 when DFDB16 says that its encryption failed', () => {
    const failed = tlv('DFDB16', '00000001');
    const payload = hex(panTemplate(tlv('5A', PAN)), failed, masked, expiry);
    expect(read(payload)).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('DFDB16'),
    });
    const fine = hex(panTemplate(tlv('5A', PAN)), tlv('DFDB16', '00000000'), masked, expiry);
    expect(read(fine)).toMatchObject(card({meta: {mode: 'emv'}}));
  });

  it('beside FF7F must be of the same card', () => {
    const other = panTemplate(tlv('5A', '4012888888881881'));
    expect(read(hex(sred(CHIP), other))).toMatchObject({errCode: 2601});
    expect(read(hex(sred(CHIP), panTemplate(tlv('5A', PAN))))).toMatchObject(card());
  });

  it('with a bare PAN and no masked copy answers 2601 and says what would help', () => {
    expect(read(hex(panTemplate(Buffer.from(PAN, 'hex')), expiry))).toMatchObject({
      errCode: 2601,
      message: expect.stringContaining('masked copy'),
    });
  });

  it('with a copy that fits two lengths is refused: 2601, which says what would help', () => {
    const plain = Buffer.from('4761739001010001', 'hex');
    const cipher = encrypt(plain, {ksn: KSN, iv: IV, fill: 'none'});
    const parts = [tlv('DFDF15', IV), tlv('DFDF14', KSN), tlv('DFDF13', cipher)];
    const payload = hex(tlv('FF7E', Buffer.concat(parts)), tlv('5A', '476173900101AAAA'), expiry);
    expect(read(payload)).toMatchObject({
      errCode: 2601,
      message: expect.stringContaining('more digits'),
    });
  });

  describe('as bare digits beside FF7F', () => {
    const beside = (pan: string, fill: 'iso7816' | 'zero', chip = CHIP) => {
      const plain = Buffer.concat([Buffer.from(pan, 'hex'), Buffer.alloc(fill === 'zero' ? 9 : 0)]);
      return read(hex(sred(chip), panTemplate(plain)));
    };

    it('must be of the same card: 2601', () => {
      expect(beside('4012888888881881', 'iso7816')).toMatchObject({errCode: 2601});
      expect(beside(PAN, 'iso7816')).toMatchObject(card());
    });

    it('says nothing where its zeros may be digits', () => {
      // 36000000000008 is a card number with a check digit, with and without zeros behind it.
      const pan = '36000000000008';
      const chip = tlv('57', `${pan}D28122011143844489F`);
      const cipher = encrypt(Buffer.from(pan.padEnd(32, '0'), 'hex'), {
        ...{ksn: KSN, iv: IV, fill: 'none'},
      });
      const template = [tlv('DFDF15', IV), tlv('DFDF14', KSN), tlv('DFDF13', cipher)];
      const found = read(hex(sred(chip), tlv('FF7E', Buffer.concat(template))));
      expect(found).toMatchObject({response: {extracted: {PAN: pan}}});
    });
  });

  it('weighs each digit of a bare PAN as a nibble: log2 of 16 in 10', () => {
    const bits = (pan: string) => {
      const copy = `${pan.slice(0, 6)}${'A'.repeat(pan.length - 10)}${pan.slice(-4)}`;
      const even = (digits: string) => digits.padEnd(digits.length + (digits.length % 2), 'F');
      const plain = Buffer.from(even(pan), 'hex');
      const payload = hex(panTemplate(plain), tlv('5A', even(copy)), expiry);
      const [field] = readPayload(TERMINALS.verifone, payload).candidates[0] ?? [];
      return field?.open(plain).bits ?? 0;
    };
    expect(bits('4761739001010010012') - bits('4761739001010010')).toBeCloseTo(3 * 0.67, 6);
  });

  it('is not looked at when DFDF10 is there', () => {
    const broken = tlv('FF7E', tlv('DFDF13', '00'));
    expect(read(hex(sred(CHIP), broken))).toMatchObject(card());
  });
});

describe('verifone, the TVP text', () => {
  const cipher = encrypt(SWIPE, {ksn: KSN, iv: IV, fill: 'iso7816'}).toString('hex');

  it('takes its members in any order and case', () => {
    for (const text of [
      `TVP|iv:${IV}|ksn:${KSN}|vipa:${cipher}`,
      `TVP|ksn:${KSN}|iv:${IV}|vipa:${cipher.toUpperCase()}`,
      `tvp|KSN:${KSN}|VIPA:${cipher}|IV:${IV}\n`,
    ]) {
      expect(read(text)).toMatchObject(card({meta: {mode: 'swiped'}}));
    }
  });

  it('has a trace that names its members, whatever their case', () => {
    const trace = new Trace();
    readPayload(TERMINALS.verifone, `tvp|KSN:${KSN}|VIPA:${cipher}|IV:${IV}`, trace);
    const named = trace.parts.map(({name, meaning, sensitivity}) => [name, meaning, sensitivity]);
    expect(named).toEqual([
      ['form', undefined, undefined],
      ['KSN', 'KSN', 'harmless'],
      ['card data, encrypted', 'VIPA', 'opaque'],
      ['IV', 'IV', 'opaque'],
    ]);
  });

  it('has a trace that says what it does not know', () => {
    const trace = new Trace();
    const payload = `TVP|x pan:${PAN}|vipa:${cipher}`;
    expect(() => readPayload(TERMINALS.verifone, payload, trace)).toThrow('character 4');
    expect(trace.parts.at(-1)).toEqual({
      ...{offset: 4, length: PAN.length + 7, depth: 0, name: 'unknown member'},
      value: `x pan:${PAN}|`,
    });
  });

  it.each([
    ['another member', `TVP|pan:0000|vipa:${cipher}`, 2100],
    ['a member twice', `TVP|ksn:${KSN}|ksn:${KSN}|vipa:${cipher}`, 2100],
    ['no ciphertext', `TVP|iv:${IV}|ksn:${KSN}`, 2102],
    ['ciphertext that is no hex', `TVP|ksn:${KSN}|vipa:zz`, 2100],
    ['half a block', `TVP|ksn:${KSN}|vipa:00112233`, 2102],
    ['an IV of 7 bytes', `TVP|iv:${IV.slice(2)}|ksn:${KSN}|vipa:${cipher}`, 2602],
    ['no KSN', `TVP|iv:${IV}|vipa:${cipher}`, 2400],
  ])('with %s is refused', (_, text, errCode) => {
    expect(read(text)).toMatchObject({errCode});
  });
});
