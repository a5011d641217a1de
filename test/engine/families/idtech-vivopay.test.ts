import {describe, expect, it} from 'vitest';
import {answer, readSamples} from '../samples.js';
import {bytesOf, type Encryption, encrypt, lrcOf, tlv} from '../terminal.js';
import {enhanced, flagged, KSN, sealed, T1, T2, T3, track, vivo} from './idtech-frames.js';

const PAN = '4012888888881881';
const TAG_57 = `${PAN}D28012010000000000F`.padEnd(38, 'F').slice(0, 38);
const MASKED_57 = `4012CCCCCCCC1881D2801201CCCCCCCCCCCCCC`;
const MASKED_5A = '4012CCCCCCCC1881';
const KSN_TAG = tlv('DFEE12', KSN);
const opened = {response: {extracted: {PAN, EXPY: '0128', ServiceCode: '201'}}};

function ask(payload: string | Uint8Array, more: {ksn?: string; deviceSerial?: string} = {}) {
  const devicePayload =
    typeof payload === 'string' ? payload : Buffer.from(payload).toString('hex');
  return answer({deviceType: 'idtech', devicePayload, ...more});
}

function list(...objects: Uint8Array[]): Buffer {
  return Buffer.concat(objects);
}

/** A whole 57 and 5A in the A1/C1 convention. */
function pair(setting: Partial<Encryption> = {}): Buffer {
  return list(
    flagged('57', 'A1', MASKED_57),
    flagged('57', 'C1', sealed('57', TAG_57, setting)),
    flagged('5A', 'A1', MASKED_5A),
    flagged('5A', 'C1', sealed('5A', PAN, setting)),
  );
}

describe('a ViVOpay message', () => {
  const data = list(KSN_TAG, pair());

  for (const [name, text] of [
    ['ViVOtech2 response with one attribution byte', vivo(data)],
    ['ViVOpayV3 response with three zeros in front', vivo(data, {v3: true, lead: '000000'})],
    ['ViVOpayV3 response, status 23, one byte in front', vivo(data, {v3: true, status: 0x23})],
    [
      'failed response with error code, SW and RF state in front',
      vivo(data, {status: 10, lead: '20698500'}),
    ],
    ['response without anything in front', vivo(data, {lead: ''})],
    ['response as lower-case hex', vivo(data).toLowerCase()],
    ['response as binary', Buffer.from(vivo(data), 'hex').toString('latin1')],
    ['bare TLV list', data.toString('hex')],
    ['bare TLV list behind an attribution byte', `C0${data.toString('hex')}`],
  ] as const) {
    it(`opens: ${name}`, () => {
      expect(ask(text)).toMatchObject(opened);
    });
  }

  it('whose CRC does not match: 2101', () => {
    const text = vivo(data);
    expect(ask(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`)).toMatchObject({
      errCode: 2101,
      message: expect.stringMatching(/CRC-16 at byte \d+: expected/),
    });
  });

  it('whose length is larger than its data: 2102', () => {
    expect(ask(vivo(data).slice(0, -8))).toMatchObject({errCode: 2102});
  });

  it('with other data behind its CRC: 2101', () => {
    expect(ask(`${vivo(data)}01`)).toMatchObject({errCode: 2101});
  });

  it.each([false, true])('cut inside its header: 2102 (V3: %s)', (v3) => {
    expect(ask(vivo(data, {v3}).slice(0, 16))).toMatchObject({errCode: 2102});
  });

  it('with zeros behind its CRC opens', () => {
    expect(ask(`${vivo(data)}000000`)).toMatchObject(opened);
  });

  it('with a character that is no hex digit is a message all the same', () => {
    const wrong = `${vivo(data).slice(0, -1)}G`;
    const found = ask(wrong);
    expect(found).toMatchObject({errCode: 2100, message: expect.not.stringContaining('STX')});
    expect(ask(wrong.toLowerCase()).errCode).toBe(found.errCode);
    expect(ask(wrong.toLowerCase()).message).not.toContain('STX');
  });

  it('that is a command to the reader: 2100', () => {
    expect(ask(vivo(tlv('9F02', '000000000999'), {command: true, lead: ''}))).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('command'),
    });
  });

  it('of a failed transaction without card data: 2100', () => {
    expect(ask(vivo(tlv('DFEE25', '0008')))).toMatchObject({errCode: 2100});
  });

  it('of another make: 2100', () => {
    const text = Buffer.from('ViVOpayV9\0\x02\x00\x00\x00\x00\x00', 'latin1').toString('hex');
    expect(ask(text)).toMatchObject({errCode: 2100});
  });

  it('with a length field that runs past the end of the list: 2102', () => {
    expect(ask(list(KSN_TAG, Buffer.from('5710AABB', 'hex')))).toMatchObject({errCode: 2102});
  });
});

describe('a swipe frame in DFEE23', () => {
  const frame = Buffer.from(enhanced({tracks: [track(T1), track(T2)]}), 'hex');

  it('opens inside a message', () => {
    expect(ask(vivo(list(tlv('DFEE25', '0011'), tlv('DFEE23', frame))))).toMatchObject({
      response: {track2: {ascii: T2}, meta: {mode: 'swiped'}},
    });
  });

  it('takes the serial of 9F1E where the frame has none', () => {
    const serial = tlv('9F1E', bytesOf('8T149816'));
    expect(ask(list(tlv('DFEE23', frame), serial))).toMatchObject({
      response: {meta: {serial: '8T149816'}},
    });
  });

  it('prefers the serial of the frame', () => {
    const tracks = [undefined, track(T2)];
    const own = Buffer.from(enhanced({tracks, serial: '0000742094'}), 'hex');
    const found = ask(list(tlv('9F1E', bytesOf('8T149816')), tlv('DFEE23', own)));
    expect(found).toMatchObject({response: {meta: {serial: '0000742094'}}});
  });

  it('with a wrong LRC inside an intact message: 2101', () => {
    const damaged = Buffer.from(frame);
    damaged[damaged.length - 3] = (damaged[damaged.length - 3] ?? 0) ^ 1;
    expect(ask(vivo(tlv('DFEE23', damaged)))).toMatchObject({errCode: 2101});
  });
});

describe('encrypted tags', () => {
  for (const algorithm of ['tdes', 'aes'] as const) {
    it(`open with A1/C1 length flags under ${algorithm}`, () => {
      expect(ask(list(KSN_TAG, pair({algorithm})))).toMatchObject({
        response: {
          ...opened.response,
          tlv: {decrypted: `5713${TAG_57}5a08${PAN}`.toLowerCase()},
          track2equivalent: {ascii: TAG_57.replace(/F+$/, '').toLowerCase()},
          meta: {mode: 'emv'},
        },
      });
    });
  }

  it('open when the length needs a second byte behind the flag', () => {
    const value = sealed('57', TAG_57);
    const header = Buffer.from(`57C2${value.length.toString(16).padStart(4, '0')}`, 'hex');
    expect(ask(list(KSN_TAG, header, value))).toMatchObject(opened);
  });

  it('open in templates', () => {
    expect(ask(list(KSN_TAG, tlv('FF8105', pair())))).toMatchObject(opened);
  });

  it('open when the tag is sent twice, masked and then encrypted', () => {
    const twice = list(
      tlv('FFEE12', KSN),
      tlv('DFEE12', ''),
      Buffer.from(`578113${MASKED_57}578118`, 'hex'),
      sealed('57', TAG_57),
      Buffer.from(`5A8108${MASKED_5A}5A8110`, 'hex'),
      sealed('5A', PAN),
    );
    expect(ask(twice)).toMatchObject(opened);
  });

  it('open when the tag is sent twice, its plaintext one byte into a third block', () => {
    const tag57 = `${PAN}D28012010000000F`;
    const masked = Buffer.from('5781104012CCCCCCCC1881D2801201CCCCCCCC578118', 'hex');
    expect(ask(list(KSN_TAG, masked, sealed('57', tag57)))).toMatchObject(opened);
  });

  it('of magstripe mode open when sent twice, the plaintext one byte into a third block', () => {
    const masked = Buffer.from('9F6B810F4012CCCCCCCC1881D2801201CCCCCC', 'hex');
    const cipher = tlv('9F6B', sealed('9F6B', `${PAN}D2801201000000`));
    expect(ask(list(KSN_TAG, masked, cipher))).toMatchObject(opened);
  });

  it('contradicting the expiry in a copy in DFEF5D: 2601', () => {
    const copy = tlv('DFEF5D', MASKED_57.replace('D2801', 'D2802'));
    expect(ask(list(KSN_TAG, copy, tlv('57', sealed('57', TAG_57))))).toMatchObject({
      errCode: 2601,
    });
  });

  it.each([
    ['DFEE12', 'FFFF9876543210E00124'],
    ['FFEE12', 'FFFF9876543210E00124'],
    ['DFEF4C', '002700000000'],
    ['DFEF4D', '00'.repeat(8)],
    ['DFEF5B', '4012AAAAAAAA1881'],
    ['DFEF5D', MASKED_57.replaceAll('C', 'A')],
    ['9F1E', '3854313439383137'],
  ])('beside two different %s: 2100', (tag, other) => {
    const values = {
      ...{DFEE12: KSN, FFEE12: KSN, DFEF4C: '002800000000', DFEF4D: '11'.repeat(8)},
      ...{DFEF5B: MASKED_5A, DFEF5D: MASKED_57, '9F1E': '3854313439383136'},
    };
    const one = tlv(tag, values[tag as keyof typeof values]);
    expect(ask(list(one, pair(), tlv(tag, other)), {ksn: KSN})).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining(`tag ${tag}`),
    });
  });

  it('open when the masked copies stand in DFEF5D and DFEF5B', () => {
    const augusta = list(
      KSN_TAG,
      tlv('DFEF5D', MASKED_57),
      tlv('57', sealed('57', TAG_57)),
      tlv('DFEF5B', MASKED_5A),
      tlv('5A', sealed('5A', PAN)),
      tlv('DFEE26', '2000'),
    );
    expect(ask(augusta)).toMatchObject(opened);
  });

  for (const letter of ['A', 'B', 'F']) {
    it(`agree with copies masked by ${letter}`, () => {
      const copy = flagged('57', 'A1', MASKED_57.replaceAll('C', letter));
      expect(ask(list(KSN_TAG, copy, flagged('57', 'C1', sealed('57', TAG_57))))).toMatchObject(
        opened,
      );
    });
  }

  it('contradicting their masked copy: 2601', () => {
    const copy = flagged('57', 'A1', MASKED_57.replace('4012', '4013'));
    const found = ask(list(KSN_TAG, copy, flagged('57', 'C1', sealed('57', TAG_57))));
    expect(found).toMatchObject({errCode: 2601});
  });

  it('whose plaintext is another tag: 2601', () => {
    const found = ask(list(KSN_TAG, flagged('57', 'C1', sealed('5A', PAN))));
    expect(found).toMatchObject({errCode: 2601});
  });

  it('whose numbers in 57 and 5A differ: 2601', () => {
    const other = flagged('5A', 'C1', sealed('5A', '4761739001010010'));
    const found = ask(list(KSN_TAG, flagged('57', 'C1', sealed('57', TAG_57)), other));
    expect(found).toMatchObject({errCode: 2601});
  });

  it('that are no whole blocks: 2102', () => {
    const cut = flagged('57', 'C1', sealed('57', TAG_57).subarray(0, 23));
    const whole = flagged('5A', 'C1', sealed('5A', PAN));
    expect(ask(list(KSN_TAG, cut, whole))).toMatchObject({errCode: 2102});
  });

  it('that are empty inside', () => {
    const empty = flagged('9F20', 'C1', sealed('9F20', ''));
    const found = ask(list(KSN_TAG, pair(), empty));
    expect(found.response?.tlv?.decrypted).toMatch(/9f2000$/);
  });

  it('that fill their blocks exactly', () => {
    const tag57 = '4761739001010010D22012011234';
    const copy = flagged('57', 'A1', '4761CCCCCCCC0010D2201CCCCCCC');
    const found = ask(list(KSN_TAG, copy, flagged('57', 'C1', sealed('57', tag57))));
    expect(found).toMatchObject({response: {extracted: {PAN: '4761739001010010'}}});
  });

  it('lets the request name the KSN of either tag', () => {
    const other = 'FFFF9876543210E00F01';
    const payload = list(KSN_TAG, pair(), tlv('FFEE12', other));
    expect(ask(payload, {ksn: other})).toMatchObject(opened);
    expect(ask(payload, {ksn: KSN})).toMatchObject(opened);
  });

  it('are refused without a KSN anywhere: 2400', () => {
    expect(ask(pair())).toMatchObject({errCode: 2400});
  });

  it('open with the KSN of the request', () => {
    expect(ask(pair(), {ksn: KSN})).toMatchObject(opened);
  });

  it('open with the KSN at the very end', () => {
    expect(ask(list(pair(), tlv('FFEE12', KSN)))).toMatchObject(opened);
  });

  it('never decrypt and never return tag 99', () => {
    const pin = tlv('99', '83F5E0E947ABDB32AC50B066B3C55513BFFF987654321000000A');
    const found = ask(list(KSN_TAG, pair(), pin));
    expect(found.response?.tlv?.decrypted).toBe(`5713${TAG_57}5a08${PAN}`.toLowerCase());
  });

  it('take name and expiry that stand beside them in clear', () => {
    const beside = list(tlv('5F20', bytesOf('SAMPLE/CARD')), tlv('5F24', '280131'));
    const found = ask(list(KSN_TAG, beside, flagged('5A', 'C1', sealed('5A', PAN))));
    expect(found).toMatchObject({
      response: {extracted: {PAN, EXPY: '0128', Surname: 'SAMPLE', FirstName: 'CARD'}},
    });
  });

  it('take the name although the expiry beside it is malformed', () => {
    const beside = list(tlv('5F24', 'AB'), tlv('5F20', bytesOf('SAMPLE/CARD')));
    expect(ask(list(KSN_TAG, beside, pair()))).toMatchObject({
      response: {extracted: {Surname: 'SAMPLE'}},
    });
  });

  it('without any expiry: 2100, which names what is expected', () => {
    const found = ask(list(KSN_TAG, flagged('5A', 'C1', sealed('5A', PAN))));
    expect(found).toMatchObject({errCode: 2100, message: expect.stringContaining('5F24')});
  });

  it('in clear, without masked copy or flag: 2110', () => {
    expect(ask(list(tlv('57', TAG_57), tlv('5A', PAN)))).toMatchObject({errCode: 2110});
  });

  // What Cybersource calls fluid data is a KSN, the ciphertext as tag 57 and the tags in clear.
  describe('without a flag and without masked copies', () => {
    const bare = list(tlv('57', sealed('57', TAG_57)), tlv('5A', sealed('5A', PAN)));

    it('open', () => {
      expect(ask(list(KSN_TAG, bare))).toMatchObject(opened);
    });

    it('open as 57 alone, as 5A beside an expiry, and under AES', () => {
      const aes = tlv('57', sealed('57', TAG_57, {algorithm: 'aes'}));
      const pan = list(tlv('5A', sealed('5A', PAN)), tlv('5F24', '280131'));
      const found = [bare.subarray(0, 26), pan, aes].map((tags) => ask(list(KSN_TAG, tags)));
      expect(found.map(({response}) => response?.extracted.PAN)).toEqual([PAN, PAN, PAN]);
    });

    it('open with one masked copy of two', () => {
      expect(ask(list(KSN_TAG, tlv('DFEF5D', MASKED_57), bare))).toMatchObject(opened);
    });

    it('under another key: 2601; without a KSN: 2400', () => {
      const other = tlv('DFEE12', 'FFFF9876543210E00124');
      expect([ask(list(other, bare)).errCode, ask(bare).errCode]).toEqual([2601, 2400]);
    });

    it('are none where a masked copy stands alone: 2100', () => {
      const masked = tlv('57', '4012CCCCCCCC1881D2801201CCCCCCCC');
      expect(ask(list(KSN_TAG, masked))).toMatchObject({errCode: 2100});
    });
  });

  it('in clear, although a KSN is sent: 2110', () => {
    expect(ask(list(KSN_TAG, tlv('57', TAG_57)))).toMatchObject({errCode: 2110});
  });

  it.each([
    ...['DFEF17', 'DFEF18', 'FFEE13', 'FFEE14', 'DFEF4D'],
    ...['DFEE31', 'DFEE32', 'DF31', 'DF32', 'DF812A', 'DF812B'],
  ])('in clear, magnetic stripe tag %s: 2110', (tag) => {
    expect(ask(list(KSN_TAG, tlv(tag, bytesOf(T2))))).toMatchObject({errCode: 2110});
  });
});

describe('the mode of encrypted tags', () => {
  for (const [entry, mode] of [
    ['05', 'emv'],
    ['07', 'emv'],
    ['91', 'swiped'],
    ['90', 'swiped'],
    ['80', 'swiped'],
  ] as const) {
    it(`is ${mode} with 9F39 = ${entry}`, () => {
      expect(ask(list(KSN_TAG, pair(), tlv('9F39', entry)))).toMatchObject({
        response: {meta: {mode}},
      });
    });
  }

  it('is swiped with tag 56 alone', () => {
    const track1 = bytesOf(T1.slice(1, -1));
    const found = ask(list(KSN_TAG, flagged('56', 'C1', sealed('56', track1))));
    expect(found).toMatchObject({response: {meta: {mode: 'swiped'}, track1: {ascii: T1}}});
  });

  it('is swiped with tag 9F6B alone', () => {
    const found = ask(list(KSN_TAG, flagged('9F6B', 'C1', sealed('9F6B', TAG_57))));
    expect(found).toMatchObject({response: {meta: {mode: 'swiped'}, extracted: {PAN}}});
  });

  it('is swiped with contactless tracks of the first generation', () => {
    const track2 = flagged('FFEE14', 'C1', sealed('FFEE14', bytesOf(T2)));
    expect(ask(list(KSN_TAG, track2))).toMatchObject({
      response: {meta: {mode: 'swiped'}, track2: {ascii: T2}},
    });
  });
});

describe('magnetic stripe tags', () => {
  it('DFEF17 and DFEF18 give the tracks', () => {
    const tracks = list(
      flagged('DFEF17', 'C1', sealed('DFEF17', bytesOf(T1))),
      flagged('DFEF18', 'C1', sealed('DFEF18', bytesOf(T2))),
    );
    expect(ask(list(KSN_TAG, tracks))).toMatchObject({
      response: {track1: {ascii: T1}, track2: {ascii: T2}, meta: {mode: 'swiped'}},
    });
  });

  it('DFEF18 gives a track 2 without sentinels', () => {
    const bare = bytesOf(T2.slice(1, -1));
    expect(ask(list(KSN_TAG, flagged('DFEF18', 'C1', sealed('DFEF18', bare))))).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('DFEF18 gives a packed track 2 equivalent', () => {
    const packed = flagged('DFEF18', 'C1', sealed('DFEF18', TAG_57));
    const found = ask(list(KSN_TAG, packed));
    expect(found).toMatchObject({
      response: {...opened.response, track2equivalent: {decrypted: TAG_57.toLowerCase()}},
    });
    expect(found).not.toHaveProperty('response.track2');
  });
});

describe('DFEF4D, tracks and PAN in one ciphertext', () => {
  const t1 = T1 + lrcOf(T1);
  const t2 = T2 + lrcOf(T2);
  const t3 = T3 + lrcOf(T3);
  const joined = (parts: readonly [string, string, string, string]) =>
    list(
      tlv('DFEF4C', Buffer.from([...parts.map((part) => part.length), 0, 0])),
      tlv('DFEF4D', encrypt(parts.join(''), {ksn: KSN})),
    );

  it('gives all tracks', () => {
    expect(ask(list(KSN_TAG, joined([t1, t2, t3, PAN])))).toMatchObject({
      response: {track1: {ascii: T1}, track2: {ascii: T2}, track3: {ascii: T3}, extracted: {PAN}},
    });
  });

  it('gives track 2 alone', () => {
    expect(ask(list(KSN_TAG, joined(['', t2, '', ''])))).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('has four lengths, whatever stands behind them', () => {
    const lengths = tlv('DFEF4C', Buffer.from([0, t2.length, 0, 0, 1, 1]));
    const cipher = tlv('DFEF4D', encrypt(t2, {ksn: KSN}));
    expect(ask(list(KSN_TAG, lengths, cipher))).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it.each([1, 9])('shorter by %i than its lengths say: 2601', (missing) => {
    const plain = `${t2}${PAN}`.slice(0, 48);
    const lengths = Buffer.from([0, t2.length, 0, plain.length - t2.length + missing, 0, 0]);
    const cipher = tlv('DFEF4D', encrypt(plain, {ksn: KSN}));
    const found = ask(list(KSN_TAG, tlv('5F24', '280131'), tlv('DFEF4C', lengths), cipher));
    expect(found).toMatchObject({errCode: 2601});
  });

  it('gives the PAN alone, with the expiry and name beside it', () => {
    const beside = list(tlv('5F24', '280131'), tlv('5F20', bytesOf('SAMPLE/CARD')));
    expect(ask(list(KSN_TAG, beside, joined(['', '', '', PAN])))).toMatchObject({
      response: {extracted: {PAN, EXPY: '0128', Surname: 'SAMPLE'}},
    });
  });

  it('whose PAN is not the one of the tracks: 2601', () => {
    const found = ask(list(KSN_TAG, joined(['', t2, '', '4761739001010010'])));
    expect(found).toMatchObject({errCode: 2601});
  });

  it('is not used beside an encrypted 57', () => {
    const found = ask(list(KSN_TAG, pair(), joined(['', t2, '', PAN])));
    expect(found).toMatchObject(opened);
    expect(found).not.toHaveProperty('response.track2');
  });

  it('is used beside an encrypted tag without card number, which is returned too', () => {
    const empty = flagged('9F20', 'C1', sealed('9F20', ''));
    expect(ask(list(KSN_TAG, empty, joined(['', t2, '', ''])))).toMatchObject({
      response: {track2: {ascii: T2}, tlv: {decrypted: '9f2000'}},
    });
  });

  it('without the lengths of DFEF4C: 2100, which names it', () => {
    const only = tlv('DFEF4D', encrypt(t2, {ksn: KSN}));
    expect(ask(list(KSN_TAG, only))).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('DFEF4C'),
    });
  });

  // A VP3300 without keys answers a contact transaction so: 57, 5A and DFEF4D in clear, an empty
  // DFEE23, no KSN (a listing in a public sample app for that reader; the card is ID TECH's).
  for (const [where, beside] of [
    ['beside a clear 57', [tlv('57', TAG_57), tlv('DFEE23', '')]],
    ['alone', []],
    ['beside a KSN', [KSN_TAG]],
  ] as const) {
    for (const text of [T2, `${T2}0`]) {
      it(`in clear, ${text.length} bytes, ${where}: 2110`, () => {
        const lengths = tlv('DFEF4C', Buffer.from([0, text.length, 0, 0, 0, 0]));
        const clear = list(...beside, lengths, tlv('DFEF4D', bytesOf(text)));
        expect(ask(`00${clear.toString('hex')}`)).toMatchObject({errCode: 2110});
      });
    }
  }

  it('that is no whole blocks: 2102', () => {
    const lengths = tlv('DFEF4C', '002700000000');
    expect(ask(list(KSN_TAG, lengths, tlv('DFEF4D', '0102030405')))).toMatchObject({errCode: 2102});
  });
});

describe('the serial number in 9F1E', () => {
  const withSerial = (text: string, more = {}) =>
    ask(list(KSN_TAG, pair(), tlv('9F1E', bytesOf(text))), more);

  it('is the serial', () => {
    expect(withSerial('8T149816')).toMatchObject({response: {meta: {serial: '8T149816'}}});
  });

  for (const placeholder of ['Terminal', '12345678', '        ', '00000000', '\0\0\0\0\0\0\0\0']) {
    it(`is a placeholder when it is ${JSON.stringify(placeholder)}`, () => {
      expect(withSerial(placeholder, {deviceSerial: 'AB-1'})).toMatchObject({
        response: {meta: {serial: 'AB-1'}},
      });
    });
  }

  it('must agree with deviceSerial: 2103', () => {
    expect(withSerial('8T149816', {deviceSerial: '8T149817'})).toMatchObject({errCode: 2103});
  });
});

describe('a capture that lost its first 0', () => {
  const frames = readSamples('idtech').filter(({request}) =>
    request.devicePayload.startsWith('02'),
  );
  for (const {id, request} of frames) {
    it(`${id}: 2100 and the hint`, () => {
      expect(ask(request.devicePayload.slice(1))).toMatchObject({
        errCode: 2100,
        message: expect.stringContaining('lose the first 0'),
      });
    });
  }
});
