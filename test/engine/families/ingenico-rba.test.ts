import {describe, expect, it} from 'vitest';
import {answer} from '../samples.js';
import {type Encryption, encrypt, lrcOf, tlv} from '../terminal.js';

const PAN = '4012888888881881';
const KSN = 'FFFF9876543210E0000A';
const T1 = `B${PAN}^TEST/CARD^28012011234567`;
const T2 = `${PAN}=28012011234567`;
const MASKED_1 = '%B4012880000001881^TEST/CARD^28010000000000?';
const MASKED_2 = ';4012880000001881=28010000000000?';

/** `<KSN>:<indicator>:<length>:<ciphertext>`. */
function record(plain: string | Uint8Array, indicator: number, more: Partial<Encryption> = {}) {
  const cipher = encrypt(plain, {ksn: KSN, ...more})
    .toString('hex')
    .toUpperCase();
  return `${KSN}:${indicator}:${String(cipher.length).padStart(4, '0')}:${cipher}`;
}

/** STX, message, ETX, LRC. */
function framed(message: string): string {
  const lrc = [...message, '\x03'].reduce((sum, c) => sum ^ c.charCodeAt(0), 0);
  return `\x02${message}\x03${String.fromCharCode(lrc)}`;
}

function ask(devicePayload: string, more: object = {}) {
  return answer({deviceType: 'ingenico-rba', devicePayload, ...more});
}

const both = record(`${T1}|${T2}`, 4);
const read23 = ['23.0M', MASKED_1, '\x1c', MASKED_2, '\x1c', both].join('');
const tracks = {response: {track1: {ascii: `%${T1}?`}, track2: {ascii: `;${T2}?`}}};

describe('the form of a message', () => {
  const forms: [string, string][] = [
    ['with STX, ETX and LRC', framed(read23)],
    ['without them', read23],
    ['with FS as [FS]', read23.replaceAll('\x1c', '[FS]')],
    ['with FS as <FS>', read23.replaceAll('\x1c', '<FS>')],
    ['as hex', Buffer.from(framed(read23)).toString('hex')],
    ['as hex without STX', Buffer.from(read23).toString('hex').toUpperCase()],
    ['as its bare record', both],
    ['with a line end behind', `${read23}\r\n`],
    ['with a line end and blanks in front', `\r\n  ${framed(read23)}`],
    ['with a byte order mark in front', `\ufeff${read23.replaceAll('\x1c', '[FS]')}`],
    ['with fields behind track 3', `${read23}\x1cCA\x1cV`],
  ];
  for (const [form, payload] of forms) {
    it(`may be ${form}`, () => {
      expect(ask(payload)).toMatchObject(tracks);
    });
  }

  it('with a wrong LRC is 2101', () => {
    const sent = framed(read23);
    const wrong = sent.at(-1) === 'A' ? 'B' : 'A';
    expect(ask(sent.slice(0, -1) + wrong)).toMatchObject({errCode: 2101});
  });

  it('with STX and without ETX is 2102', () => {
    expect(ask(`\x02${read23}`)).toMatchObject({errCode: 2102});
  });

  it('with ETX and without LRC is 2102', () => {
    expect(ask(framed(read23).slice(0, -1))).toMatchObject({errCode: 2102});
  });

  for (const id of ['08.', '31.', '50.']) {
    it(`${id} is 2100`, () => {
      expect(ask(`${id}00001`)).toMatchObject({errCode: 2100});
    });
  }
});

describe('the record of types 11 and 19', () => {
  for (const separator of ['|', '#', ';', '\0']) {
    it(`joins its tracks by ${JSON.stringify(separator)}`, () => {
      expect(ask(record(`${T1}${separator}${T2}`, 4))).toMatchObject(tracks);
    });
  }

  it('may hold tracks with sentinels', () => {
    expect(ask(record(`%${T1}?;${T2}?`, 4))).toMatchObject({
      response: {...tracks.response, track2: {ascii: `;${T2}?`}},
    });
  });

  it('may hold tracks with sentinels, their LRC and a separator that is one of them', () => {
    const [track1, track2] = [`%${T1}?`, `;${T2}?`];
    const plain = `${track1}${lrcOf(track1)};${track2}${lrcOf(track2)}`;
    expect(ask(record(plain, 4))).toMatchObject({
      response: {track1: {ascii: track1}, track2: {ascii: track2}},
    });
  });

  it('may hold a track 1 whose card number has blanks', () => {
    const [masked1, masked2] = ['%B374245000001006^A/B^2812?', ';374245000001006=2812?'];
    const plain = 'B3742 450017 51006^A/B^28122011111|374245001751006=28122011111';
    expect(ask(`23.0M${masked1}\x1c${masked2}\x1c${record(plain, 4)}`)).toMatchObject({
      response: {
        track1: {masked: '%B3742 45**** *1006^A/B^2812*******?'},
        extracted: {PAN: '374245001751006'},
      },
    });
  });

  it('may hold track 1 alone', () => {
    const found = ask(record(T1, 1));
    expect(found).toMatchObject({response: {track1: {ascii: `%${T1}?`}}});
    expect(found.response?.track2).toBeUndefined();
  });

  it('may hold track 2 alone', () => {
    expect(ask(record(T2, 2))).toMatchObject({response: {track2: {ascii: `;${T2}?`}}});
  });

  it('of two tracks that holds one is 2601', () => {
    expect(ask(record(T1, 4))).toMatchObject({errCode: 2601});
  });

  it('may hold a TLV list', () => {
    const list = Buffer.concat([tlv('5A', PAN), tlv('57', `${PAN}D28012011234567F`)]);
    expect(ask(`23.0S\x1c\x1c${record(list, 2)}`)).toMatchObject({
      response: {meta: {mode: 'emv'}, tlv: {decrypted: list.toString('hex')}},
    });
  });

  const settings: [string, Partial<Encryption>][] = [
    ['data variant with self-encryption', {}],
    ['pin variant', {variant: 'pin'}],
    ['data variant without self-encryption', {selfEncrypted: false}],
  ];
  for (const [name, setting] of settings) {
    it(`opens under the ${name}`, () => {
      expect(ask(record(`${T1}|${T2}`, 4, setting))).toMatchObject(tracks);
    });
  }

  it('under the mac variant is 2601', () => {
    expect(ask(record(T2, 2, {variant: 'mac'}))).toMatchObject({errCode: 2601});
  });

  it('whose masked track shows another card is 2601', () => {
    const other = MASKED_2.replace('1881', '1882');
    expect(ask(`23.0M\x1c${other}\x1c${both}`)).toMatchObject({errCode: 2601});
  });

  it('with ciphertext of no whole blocks is 2102', () => {
    expect(ask(both.slice(0, -2))).toMatchObject({errCode: 2102});
  });

  it('is cut where it is shorter than its length', () => {
    expect(ask(both.replace(/:\d{4}:/, ':9999:'))).toMatchObject({errCode: 2102});
    expect(ask(both.replace(/:\d{4}:/, ':0016:'))).toMatchObject(tracks);
  });

  it('with another number of parts is 2100', () => {
    expect(ask(`${both}:00`)).toMatchObject({errCode: 2100});
  });

  it('gives the first 14 digits of the KSN as the serial', () => {
    expect(ask(both)).toMatchObject({response: {meta: {serial: KSN.slice(0, 14)}}});
  });
});

describe('keyed entry', () => {
  for (const source of ['H', 'T']) {
    it(`of source ${source} is keyed, its CVV masked`, () => {
      const found = ask(`23.0${source}\x1c\x1c${record(`${PAN}|2801|123`, 3)}`);
      expect(found).toMatchObject({
        response: {
          meta: {mode: 'keyed'},
          keyed: {ascii: `${PAN}|2801|123`, masked: '401288******1881|2801|***'},
          extracted: {PAN, EXPY: '0128', CVV: '123'},
        },
      });
    });
  }

  it('may come without a CVV', () => {
    expect(ask(record(`${PAN}|2801|`, 3))).toMatchObject({response: {extracted: {PAN}}});
  });
});

describe('card sources and exit types', () => {
  const modes = {M: 'swiped', C: 'swiped', m: 'swiped', E: 'emv', S: 'emv', Q: 'emv'};
  for (const [source, mode] of Object.entries(modes)) {
    it(`source ${source} is ${mode}`, () => {
      const found = ask(`23.0${source}\x1c\x1c${both}`);
      expect(found).toMatchObject({response: {meta: {mode}}});
    });
  }

  it('exit type 7 is 2100 and says that encryption failed', () => {
    expect(ask('23.7M\x1c\x1c')).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('encryption failed'),
    });
  });

  it('no card data is 2100', () => {
    expect(ask('23.0M\x1c\x1c')).toMatchObject({errCode: 2100});
  });

  it('masked tracks without ciphertext are 2100', () => {
    expect(ask(`23.0M${MASKED_1}\x1c${MASKED_2}\x1c`)).toMatchObject({errCode: 2100});
  });

  it('clear tracks are 2110', () => {
    for (const track3 of ['', '0140128888888818811234==1', '%B0?']) {
      expect(ask(`23.0M${T1}\x1c${T2}\x1c${track3}`)).toMatchObject({errCode: 2110});
    }
  });
});

describe('message 41', () => {
  const fields = (type: string, track3: string, pan = '') =>
    ['M', type, '0', '0', '0', MASKED_1, MASKED_2, track3, pan, '4012880000001881'].join('\x1c');

  for (const type of ['11', '19']) {
    it(`of encryption type ${type} is read`, () => {
      expect(ask(`41.${fields(type, both)}\x1c2801\x1c\x1c`)).toMatchObject(tracks);
    });
  }

  it('may run its header together', () => {
    expect(ask(`41.M19000${MASKED_1}\x1c${MASKED_2}\x1c${both}`)).toMatchObject(tracks);
  });

  const closed = {2: 'On-Guard', 9: 'RSA-OAEP', 14: 'S1', 8: 'Voltage'};
  for (const [type, name] of Object.entries(closed)) {
    it(`of encryption type ${type} is 2111 and names ${name}`, () => {
      expect(ask(`41.${fields(type, 'ABCDEF')}`)).toMatchObject({
        errCode: 2111,
        message: expect.stringContaining(name),
      });
    });
  }

  it('with a clear PAN and no ciphertext is 2110', () => {
    expect(ask(`41.${fields('0', '', PAN)}`)).toMatchObject({errCode: 2110});
  });
});

describe('message 33', () => {
  const ascii = (tag: string, value: string) => `${tag}:${value.length.toString(16)}:a${value}`;
  const hex = (tag: string, value: string) =>
    `${tag}:${(value.length / 2).toString(16).padStart(2, '0')}:h${value}`;
  const message = (...tags: string[]) => `33.030011\x1c${tags.join('\x1c')}`;
  const list = Buffer.concat([
    tlv('5A', PAN),
    tlv('5F24', '280131'),
    tlv('9F06', 'A0000000031010'),
  ]);
  const chip = record(list, 2);

  for (const tag of ['TFF21', 'DFF21']) {
    it(`reads the record in ${tag}`, () => {
      expect(ask(message(hex('T9F02', '000000000100'), ascii(tag, chip)))).toMatchObject({
        response: {meta: {mode: 'emv'}, extracted: {PAN, EXPY: '0128'}},
      });
    });
  }

  it('reads the record as hex', () => {
    const value = Buffer.from(chip).toString('hex');
    expect(ask(message(hex('TFF21', value)))).toMatchObject({response: {extracted: {PAN}}});
  });

  it('compares the masked 5A', () => {
    const masked = (tail: string) => hex('T5A', `401288000000${tail}`);
    const sent = ascii('TFF21', chip);
    expect(ask(message(masked('1881'), sent))).toMatchObject({response: {extracted: {PAN}}});
    expect(ask(message(masked('1882'), sent))).toMatchObject({errCode: 2601});
  });

  it('takes the name of a clear 5F20', () => {
    const found = ask(message(ascii('T5F20', 'TEST/CARD'), ascii('TFF21', chip)));
    expect(found).toMatchObject({response: {extracted: {Surname: 'TEST', FirstName: 'CARD'}}});
  });

  it('of entry mode 91 is swiped', () => {
    const found = ask(message(hex('T9F39', '91'), ascii('TFF21', chip)));
    expect(found).toMatchObject({response: {meta: {mode: 'swiped'}}});
  });

  it('with FF20 is 2111 and names Voltage', () => {
    expect(ask(message(ascii('TFF20', 'abc')))).toMatchObject({
      errCode: 2111,
      message: expect.stringContaining('Voltage'),
    });
  });

  it('with FF1E and without FF21 is 2111', () => {
    expect(ask(message(ascii('DFF1E', 'abc')))).toMatchObject({errCode: 2111});
  });

  it('with a clear 57 and nothing encrypted is 2110', () => {
    expect(ask(message(hex('T57', `${PAN}D28012010F`)))).toMatchObject({errCode: 2110});
  });

  it('without any card data is 2100', () => {
    expect(ask(message(hex('T9F02', '000000000100')))).toMatchObject({errCode: 2100});
  });

  it('with a tag that is cut off is 2102', () => {
    expect(ask(message('T9F02:06:h0000'))).toMatchObject({errCode: 2102});
  });

  it('of another step is 2100', () => {
    expect(ask('33.000011')).toMatchObject({errCode: 2100});
  });
});

describe('the On-Guard record', () => {
  const head = '401288188116128012019';
  const name = '09TEST/CARD';
  const encrypted = `1BFFFF9876543210E0000A011433${'4'.repeat(16)}=${'1'.repeat(16)}04ABCD02EF8`;
  const swipe = head + name + encrypted;
  const byHand = head + encrypted;

  for (const source of ['M', 'C', 'E']) {
    it(`in 87.x of source ${source} is 2111 and names On-Guard`, () => {
      expect(ask(framed(`87.0${source}${swipe}`))).toMatchObject({
        errCode: 2111,
        message: expect.stringContaining('On-Guard'),
      });
    });
  }

  for (const source of ['H', 'T']) {
    it(`in 87.x of source ${source} has no name`, () => {
      expect(ask(`87.0${source}${byHand}`)).toMatchObject({errCode: 2111});
    });
  }

  it('may hold FS, which do not belong there', () => {
    const split = `${swipe.slice(0, 40)}\x1c${swipe.slice(40)}`;
    expect(ask(framed(`87.0M${split}`))).toMatchObject({errCode: 2111});
  });

  it('may come alone, of a swipe or by hand', () => {
    expect(ask(swipe)).toMatchObject({errCode: 2111});
    expect(ask(byHand)).toMatchObject({errCode: 2111});
  });

  it('may stand in track 3 of 23.x and in FF1F', () => {
    expect(ask(`23.0M${MASKED_1}\x1c${MASKED_2}\x1c${swipe}`)).toMatchObject({errCode: 2111});
    const tag = `DFF1F:${swipe.length.toString(16)}:a${swipe}`;
    expect(ask(`33.050011\x1c${tag}`)).toMatchObject({errCode: 2111});
  });

  it('cut off is 2102', () => {
    expect(ask(`87.0M${swipe.slice(0, -5)}`)).toMatchObject({errCode: 2102});
  });

  it('with characters left over is 2100', () => {
    expect(ask(`87.0M${swipe}00`)).toMatchObject({errCode: 2100});
  });

  it('of a whitelisted card is 2110', () => {
    const clear = `${head}${name}0${T1.length}${T1}${T2.length}${T2}8`;
    expect(ask(`87.0M${clear}`)).toMatchObject({errCode: 2110});
  });

  it('with plain tracks in its place is 2110', () => {
    expect(ask(`87.0M${T1}${T2}`)).toMatchObject({errCode: 2110});
  });

  it('shows no field of the card in its message', () => {
    expect(ask(`87.0M${swipe}`).message).not.toMatch(/401288|1881/);
  });
});
