import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {readMagtekPayload} from '../../../../src/engine/families/magtek/reader.js';
import {
  assertKsnScheme,
  DATA_TYPES,
  macKindOf,
  settingOfType,
} from '../../../../src/engine/families/magtek/settings.js';
import {trackMaskedByZeros} from '../../../../src/engine/families/magtek/swipe/sent-tracks.js';
import {
  hasBit,
  statusMeaning,
  statusOf,
} from '../../../../src/engine/families/magtek/swipe/status.js';
import {hasKsnField, isString} from '../../../../src/engine/families/magtek/swipe/string.js';
import {Trace} from '../../../../src/engine/trace.js';
import {errorOf} from '../../error-of.js';
import {answer} from '../../samples.js';
import {encrypt} from '../../terminal.js';

/** Exact results of the parts of MagTek's readers, each by the tables of its manuals. */
const KSN = 'FFFF9876543210E00008';
const TRACK = 'AB'.repeat(16);

function codeOf(payload: string): number {
  return errorOf(() => readMagtekPayload(payload, new Trace())).code;
}

function partsOf(payload: string) {
  const trace = new Trace();
  readMagtekPayload(payload, trace);
  return trace.parts.map(({offset, length, name, meaning}) =>
    [offset, length, name, meaning].filter((one) => one !== undefined),
  );
}

describe('encryption types', () => {
  const tdes = (variant: string, selfEncrypted = true) =>
    ({algorithm: 'tdes', mode: 'cbc', variant, selfEncrypted}) as const;
  const aes = (usage: string, type: string) => ({
    ...{algorithm: 'aes', mode: 'cbc', variant: 'none', selfEncrypted: false, aes: {usage, type}},
  });
  it.each([
    [0x80, tdes('data')],
    [0x81, tdes('pin', false)],
    [0x83, tdes('data-response')],
    [0x9b, aes('data-encryption', 'aes128')],
    [0x9c, aes('data-decryption', 'aes128')],
    [0x9d, aes('data', 'aes128')],
    [0xab, aes('data-encryption', 'aes256')],
    [0xac, aes('data-decryption', 'aes256')],
    [0xad, aes('data', 'aes256')],
  ])('%i encrypts data', (type, setting) => {
    expect(settingOfType(type, 'x')).toEqual(setting);
  });

  it('no other encrypts data', () => {
    const known = Object.keys(DATA_TYPES).map((type) => Number.parseInt(type, 16));
    const others = Array.from({length: 256}, (_, type) => type).filter((x) => !known.includes(x));
    expect(others).toHaveLength(247);
    expect(new Set(others.map((x) => errorOf(() => settingOfType(x, 'x')).code))).toEqual(
      new Set([2111]),
    );
  });

  it.each([
    [0x82, {method: 'retail', variant: 'mac'}],
    [0x84, {method: 'retail', variant: 'mac-response'}],
    [0x98, {method: 'cmac', variant: 'none', aes: {usage: 'mac-generation', type: 'aes128'}}],
    [0x99, {method: 'cmac', variant: 'none', aes: {usage: 'mac-verification', type: 'aes128'}}],
    [0x9a, {method: 'cmac', variant: 'none', aes: {usage: 'mac', type: 'aes128'}}],
    [0xa8, {method: 'cmac', variant: 'none', aes: {usage: 'mac-generation', type: 'aes256'}}],
    [0xa9, {method: 'cmac', variant: 'none', aes: {usage: 'mac-verification', type: 'aes256'}}],
    [0xaa, {method: 'cmac', variant: 'none', aes: {usage: 'mac', type: 'aes256'}}],
  ])('%i and its MAC', (type, kind) => expect(macKindOf(type)).toEqual(kind));

  it('no MAC has another', () => {
    const others = [0x80, 0x85, 0x97, 0x9b, 0xa7, 0xab, 0x02, 0xc2, 0xb8];
    expect(others.filter((type) => macKindOf(type))).toEqual([]);
  });

  it.each([
    ['tdes', '', undefined],
    ['aes', '', undefined],
    ['tdes', '0'.repeat(20), undefined],
    ['aes', '0'.repeat(24), undefined],
    ['tdes', '0'.repeat(24), 2400],
    ['aes', '0'.repeat(20), 2400],
  ] as const)('%s with the KSN "%s": %s', (algorithm, ksn, code) => {
    const run = () => assertKsnScheme(algorithm, ksn, 'x');
    expect(code === undefined ? run() : errorOf(run).code).toBe(code);
  });
});

describe('the reader status', () => {
  it.each([
    ['0600', true, 0x0006],
    ['0006', false, 0x0006],
    ['0608', true, 0x0806],
    ['abCD', false, 0xabcd],
    ['', true, undefined],
    ['060', true, undefined],
    ['06000', true, undefined],
    ['0g00', true, undefined],
  ])('%s, low byte first %s', (hex, lowFirst, status) => {
    expect(statusOf(hex, lowFirst)).toBe(status);
  });

  it('has bits', () => {
    expect([0, 1, 2, 3, 11].map((bit) => hasBit(0x0806, bit))).toEqual([
      ...[false, true, true, false, true],
    ]);
    expect(hasBit(undefined, 0)).toBe(false);
    expect(statusMeaning(0)).toBe('no bit set');
    expect(statusMeaning(0x0101)).toBe('bit 0: keys exhausted, bit 8: encryption counter expired');
  });
});

describe('a V5 string', () => {
  const fields = (changes: Readonly<Record<number, string>>) => {
    const all = ['', '0600', '', TRACK, '', '', '', 'B1', '', KSN, '', '', '0000'];
    for (const [at, text] of Object.entries(changes)) all[Number(at)] = text;
    return all.join('|');
  };

  it.each([
    ['|0600|', true],
    [' |0600|AB|CD|EF|', true],
    ['%B1^A^?|0600', true],
    ['x|0600|', false],
    ['"|0600|', false],
    ['|06|', false],
    ['|0600x', false],
  ])('begins: %s is %s', (text, expected) => expect(isString(text)).toBe(expected));

  it.each([
    [`a|${KSN}`, true],
    [`a| ${KSN.toLowerCase()} |b`, true],
    [KSN, false],
    [`a|${KSN}0`, false],
    [`a|0${KSN}`, false],
    ['a|b', false],
  ])('has a KSN: %s is %s', (text, expected) => expect(hasKsnField(text)).toBe(expected));

  it('has its fields named', () => {
    expect(partsOf(fields({})).map((one) => one.join(' '))).toEqual([
      ...['0 1 masked tracks', '1 5 reader status', '6 1 track 1 encrypted'],
      ...['7 33 track 2 encrypted', '40 1 track 3 encrypted', '41 1 MagnePrint status'],
      ...['42 1 MagnePrint encrypted', '43 3 serial number', '46 1 session ID encrypted'],
      ...['47 21 KSN', '68 1 CRC', '69 1 CRC encrypted', '70 4 format code'],
    ]);
  });

  it.each([
    ['without tracks', {3: ''}, 2100],
    ['with one block, which is no track', {3: 'AB'.repeat(8)}, 2100],
    ['with half a block', {3: 'AB'.repeat(20)}, 2102],
    ['with half a byte', {3: `${TRACK}A`}, 2102],
    ['with text for a track', {3: 'XY'}, 2100],
    ['with a status of three digits', {1: '060'}, 2100],
    ['with a KSN of 19 digits', {9: KSN.slice(1)}, 2400],
    ['with letters in its KSN', {9: `${KSN.slice(1)}G`}, 2400],
    ['with a second KSN', {12: KSN}, 2100],
    ['with text after its KSN', {10: 'track'}, 2100],
    ['with 33 digits after its KSN', {10: '0'.repeat(33)}, 2100],
    ['with text for its masked tracks', {0: 'masked'}, 2100],
    ['with 17 fields', {16: ''}, 2100],
    ['with its track in cleartext', {1: '0000', 0: ';4111111111111111=2512?', 3: ''}, undefined],
  ] as const)('%s: %s', (_, changes, code) => {
    const payload = fields(changes);
    if (code === undefined) {
      expect(readMagtekPayload(payload, new Trace()).refusal?.code).toBe(2110);
    } else expect(codeOf(payload)).toBe(code);
  });

  it('ends before its KSN', () => {
    const [head = ''] = fields({}).split(`|${KSN}`);
    expect(codeOf(head)).toBe(2102);
    expect(codeOf(`${head}|${KSN.slice(0, 9)}`)).toBe(2102);
  });

  it.each(['0', '00', '000'])('ends within its format code: "%s"', (code) => {
    expect(codeOf(fields({12: code}))).toBe(2102);
  });

  it.each([
    ['1', 2, '0000', /no track: status bit 0, keys exhausted/, '0100'],
    ['an expired counter', 2, '', /status bit 8, encryption counter expired/, '0001'],
    ['a card that was not decoded', 2, '', /could not decode the card/, '0600'],
  ])('says why it has no track: %s', (_, __, ___, message, status) => {
    const payload = fields({0: '%E?', 1: status, 3: ''});
    expect(errorOf(() => readMagtekPayload(payload, new Trace())).message).toMatch(message);
  });

  it('has its variant and kind in candidates, most likely first', () => {
    const kinds = (changes: Readonly<Record<number, string>>) =>
      readMagtekPayload(fields(changes), new Trace()).candidates.map(
        ([one]) => one?.setting.variant,
      );
    expect(kinds({})).toEqual(['pin', 'pin', 'data', 'data']);
    expect(kinds({1: '0608'})).toEqual(['data', 'data', 'pin', 'pin']);
    expect(kinds({0: '%B1^A^?'})).toEqual(['pin', 'data']);
    expect(kinds({0: '%M1^A^?'})).toEqual(['pin', 'data']);
  });
});

describe('a masked track', () => {
  it.each([
    // Appendix B of the manuals; their printer leaves the digit for Luhn out of the first two.
    ['+5163499080020445=000000000000?', /^\+5163\d{8}0445=000000000000\?$/],
    [
      '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?',
      /^%B5452\d{8}7189\^HOGAN\/PAUL {6}\^0804000000{13}\?$|^%B5452\d{8}7189\^HOGAN\/PAUL {6}\^0804(0{19})\?$/,
    ],
    [';5452300551227189=080432100000007250?', /^;5452\d{8}7189=0804(0{14})\?$/],
    [
      '%B3742 450017 51006^TEST/CARD^28122011111?',
      /^%B3742 \d{6} \d1006\^TEST\/CARD\^28120000000\?$/,
    ],
  ])('%s', (track, expected) => expect(trackMaskedByZeros(track)).toMatch(expected));

  it('has one digit that makes it pass Luhn', () => {
    // 4111 0000 x000 1111: the digits double to 8+1+2+1 = 12 and 2+1+2+1 = 6, so x doubles to 2.
    expect(trackMaskedByZeros(';4111111111111111=2512?')).toBe(';4111000010001111=2512?');
    expect(trackMaskedByZeros('no track')).toBe('');
  });
});

describe('M001', () => {
  const text = (changes: Readonly<Record<number, string>>, count = 18) => {
    const all = Array.from({length: count}, (_, i) => changes[i] ?? '');
    return ['M001', ...all.slice(1)].join('|');
  };
  const usual = {5: TRACK, 10: KSN, 11: '000201000080FF02'};

  it.each([
    ['FF02', 'data', 'tdes', KSN],
    ['FF00', 'pin', 'tdes', KSN],
    ['ff00', 'pin', 'tdes', KSN],
    ['3000', 'none', 'aes', `${KSN}0001`],
  ])('usage %s', (usage, variant, algorithm, ksn) => {
    const track = algorithm === 'aes' ? 'AB'.repeat(32) : TRACK;
    const payload = text({...usual, 5: track, 10: ksn, 11: `000201000080${usage}`});
    const [[field] = []] = readMagtekPayload(payload, new Trace()).candidates;
    expect(field).toMatchObject({name: 'track 2', ksn, setting: {variant, algorithm}, offset: 9});
  });

  it.each([
    ['another usage', text({...usual, 11: '000201000080FF01'}), 2111],
    ['a usage of the prototype', text({...usual, 11: '0002010000800000'}), 2111],
    ['15 digits', text({...usual, 11: '000201000080FF0'}), 2100],
    ['15 digits at its end', text({...usual, 11: '000201000080FF0'}, 12), 2102],
    ['no key information', text(usual, 11), 2102],
    ['AES under a KSN of 10 bytes', text({...usual, 11: '0002010000803000'}), 2400],
    ['TDES under a KSN of 12 bytes', text({...usual, 10: `${KSN}0001`}), 2400],
    ['a field too many', text(usual, 19), 2100],
    ['another text after its KSN', text({...usual, 13: 'a=b'}), 2100],
    ['33 digits after its KSN', text({...usual, 14: '0'.repeat(33)}), 2100],
  ])('is refused with %s', (_, payload, code) => expect(codeOf(payload)).toBe(code));

  it('has its MAC named', () => {
    const payload = text({...usual, 17: 'AABBCCDD'});
    expect(partsOf(payload).slice(-2)).toEqual([
      [payload.length - 9, 1, 'length of the message under the MAC'],
      [payload.length - 8, 8, 'MAC'],
    ]);
  });
});

describe('an IPAD string', () => {
  const head = '0~IPAD100KB|24~B1|1~';
  const tail = `3~${TRACK}|11~${KSN}|12~00002200|`;

  it.each([
    ['11', 'swipe, credit', 4],
    ['21', 'swipe, debit', 4],
    ['33', 'keyed entry', 2],
    ['99', undefined, 4],
  ])('operation %s is %s', (operation, meaning, candidates) => {
    const payload = `${head}${operation}|${tail}`;
    const named = partsOf(payload).find(([, , name]) => name === 'operation');
    expect(named?.[3]).toBe(meaning);
    const found = readMagtekPayload(payload, new Trace());
    expect([found.serial, found.candidates.length]).toEqual(['B1', candidates]);
    expect(found.candidates[0]?.[0]).toMatchObject({name: 'track 2', ksn: KSN, offset: 25});
  });

  it.each([
    ['a member twice', `${head}11|${tail}3~${TRACK}|`, 2100],
    ['text without a number', `${head}11|${tail}track|`, 2100],
    ['its end in the KSN', `${head}11|3~${TRACK}|11~${KSN.slice(0, 8)}`, 2102],
    ['no KSN', `${head}11|3~${TRACK}|12~00002200|`, 2102],
    ['its end in member 12', `${head}11|${tail.slice(0, -2)}`, 2102],
    ['its end in the KSN of its PIN', `${head}21|${tail}13~${KSN.slice(0, 18)}`, 2102],
    ['its end in its PIN block', `${head}21|${tail}13~${KSN}|14~11223344`, 2102],
  ])('is refused with %s', (_, payload, code) => expect(codeOf(payload)).toBe(code));

  it('may lack the separator behind its last member', () => {
    const whole = [
      `${head}11|${tail}`,
      `${head}11|${tail}25~0|`,
      `${head}21|${tail}13~${KSN}|14~1122334455667788|`,
    ];
    for (const payload of whole) {
      const read = (text: string) => readMagtekPayload(text, new Trace()).form;
      expect(read(payload.slice(0, -1))).toBe(read(payload));
    }
  });

  it('has a PIN with its KSN', () => {
    const other = `${KSN.slice(0, -1)}9`;
    const pin = `${head}21|${tail}13~${other}|14~1122334455667788|`;
    const found = readMagtekPayload(pin, new Trace());
    expect(found.ksns).toEqual([KSN, other]);
    expect(found.pins).toMatchObject([{name: 'member 14', ksn: other, offset: pin.length - 17}]);
    expect(readMagtekPayload(`${head}11|${tail}`, new Trace()).pins).toBeUndefined();
  });
});

describe('members', () => {
  const members = (more: object) => JSON.stringify({KSN, Track2: TRACK, ENCMP: '00', ...more});

  it.each([
    ['EncryptedFormat 1', {EncryptedFormat: '1'}, undefined],
    ['EncryptedFormat MagneSafe', {EncryptedFormat: 'MagneSafe'}, undefined],
    ['EncryptedFormat 3', {EncryptedFormat: '3'}, 2111],
    ['EncryptedFormat On-Guard', {EncryptedFormat: 'OnGuard'}, 2111],
    ['EncryptedFormat 2', {EncryptedFormat: '2'}, 2100],
    ['another name with the same value', {EncTrack2: TRACK.toLowerCase()}, 2100],
    ['another name without a value', {EncTrack2: ''}, undefined],
    ['another name with its very value', {EncTrack2: TRACK}, undefined],
    ['a number for the KSN', {EncryptionKeyId: 5}, 2100],
    ['a TLV Payload of the read', {'TLV Payload': `fa00${TRACK} ${KSN}`.toLowerCase()}, undefined],
    ['a TLV Payload of another KSN', {'TLV Payload': TRACK}, 2100],
  ])('%s: %s', (_, more, code) => {
    const run = () => readMagtekPayload(members(more), new Trace());
    expect(code === undefined ? run().form : errorOf(run).code).toBe(code ?? 'members in JSON');
  });

  it.each([
    ['lines', `KSN = ${KSN}\r\nTrack 2 Encrypted = ${TRACK}\r\n`, undefined],
    ['pairs', `Track2.Encrypted=${TRACK}&KSN=${KSN}`, undefined],
    ['a line that is no label', `KSN = ${KSN}\nTrack 2 Encrypted = ${TRACK}\nread\n`, 2100],
    ['a line of another read', `KSN = ${KSN}\nTrack2Encrypted=${TRACK}\nx = a=b\n`, 2100],
    ['a masked track of text', `KSN=${KSN}\nTrack2Encrypted=${TRACK}\nTrack2Masked=abc`, 2100],
    ['a masked track', `KSN=${KSN}\nTrack2Encrypted=${TRACK}\nTrack2Masked=;1=?`, undefined],
  ])('in %s', (_, payload, code) => {
    const run = () => readMagtekPayload(payload, new Trace());
    expect(code === undefined ? run().form : errorOf(run).code).toBe(code ?? 'labelled lines');
  });
});

/** An object of BER-TLV. */
function tlv(tag: string, ...value: string[]): string {
  const hex = value.join('');
  const length = (hex.length / 2).toString(16).padStart(2, '0');
  return (tag + (hex.length < 256 ? '' : '81') + length + hex).toUpperCase();
}

const PAN = '5452300551227189';
const CARD = tlv('FC', tlv('5A', PAN), tlv('57', `${PAN}D080432100000007250F`));

/** A container F9 without MAC around DFDF59, with `more` members of F8. */
function frame(plain = CARD, fill = '', card = tlv('DFDF52', '05')): string {
  const data = encrypt(Buffer.from(plain, 'hex'), {ksn: KSN}).toString('hex');
  const stated = fill === '' ? '' : tlv('DFDF58', fill);
  const f8 = tlv('F8', tlv('DFDF59', data), tlv('DFDF56', KSN), tlv('DFDF57', '80'), stated);
  return tlv(
    'F9',
    tlv('DFDF54', '00'.repeat(10)),
    tlv('DFDF55', '82'),
    tlv('FA', tlv('70', card, f8)),
  );
}

function ask(devicePayload: string) {
  const {response, errCode} = answer({deviceType: 'magtek', devicePayload}, testKeyRing());
  return response ? `${response.meta.mode} ${response.extracted.PAN}` : errCode;
}

describe('a container', () => {
  const whole = frame();
  const word = (whole.length / 2).toString(16).padStart(4, '0');

  it.each([
    ['alone', whole, `emv ${PAN}`],
    ['after the word of its length', word + whole, `emv ${PAN}`],
    ['after another word', `00${(whole.length / 2 - 1).toString(16)}${whole}`, 2101],
    ['after a word that is too large', `0${'FFF'}${whole}`, 2102],
    ['with 15 zeros and a MAC of zeros', whole + '00'.repeat(19), `emv ${PAN}`],
    ['with 16 zeros and a MAC of zeros', whole + '00'.repeat(20), 2101],
    ['with three bytes of a MAC', `${whole}000001`, 2102],
    ['with three zeros', `${whole}000000`, `emv ${PAN}`],
    ['with other bytes before its MAC', `${whole}0100000000`, 2101],
    ['without its end', whole.slice(0, -2), 2102],
    ['with the right number of fill bytes', frame(CARD, fillOf(CARD)), `emv ${PAN}`],
    ['with another number of fill bytes', frame(CARD, '07'), 2601],
    ['with a plaintext of another tag', frame(CARD.replace(/^FC/, 'FD')), 2601],
    ['of a stripe', frame(CARD, '', tlv('DFDF52', '01')), `swiped ${PAN}`],
    ['of a stripe, AAMVA', frame(CARD, '', tlv('DFDF52', '02')), `swiped ${PAN}`],
    ['keyed in', frame(CARD, '', tlv('DFDF52', '03')), `keyed ${PAN}`],
    ['of a contactless chip', frame(CARD, '', tlv('DFDF52', '06')), `emv ${PAN}`],
    ['of a stripe of a chip card', frame(CARD, '', tlv('DFDF52', '07')), `swiped ${PAN}`],
    ['in magstripe mode', frame(CARD, '', tlv('DFDF52', '08')), `swiped ${PAN}`],
    ['without a card type', frame(CARD, '', tlv('9F39', '90')), `swiped ${PAN}`],
    ['without card type and entry mode', frame(CARD, '', ''), `emv ${PAN}`],
    ['with the number of another card', frame(CARD, '', track4d(';5453000000007189=')), 2601],
    ['with its own masked track', frame(CARD, '', track4d(';5452000000007189=')), `emv ${PAN}`],
    ['without any data', tlv('F9', tlv('DFDF55', '82')), 2100],
    ['with its card in cleartext', tlv('F9', tlv('5A', PAN)), 2110],
  ])('%s', (_, payload, expected) => expect(ask(payload)).toBe(expected));

  function fillOf(plain: string): string {
    return `0${(8 - ((plain.length / 2) % 8)) % 8}`;
  }

  function track4d(text: string): string {
    return tlv('DFDF4D', Buffer.from(`${text}0804?`).toString('hex'));
  }
});

describe('a message of MMS', () => {
  const notification = (information: string, ...more: string[]) =>
    `AA00${tlv('81', information)}${tlv('82', '10080202')}${more.join('')}`;
  const payload = (inner = frame()) => tlv('84', '0101', tlv('84', inner));

  it.each([
    ['a notification', notification('83000101', payload()), `emv ${PAN}`],
    ['version 1', `AA01${notification('83000101', payload()).slice(4)}`, `emv ${PAN}`],
    ['version 2', `AA02${notification('83000101', payload()).slice(4)}`, 2100],
    ['another command', notification('83000102', payload()), 2100],
    ['a response', notification('82000101', payload()), 2100],
    ['three bytes of information', notification('830001', payload()), 2100],
    ['two payloads', notification('83000101', payload(), payload()), 2100],
    ['another tag', notification('83000101', payload(), tlv('85', '00')), 2100],
    [
      'two containers',
      notification('83000101', tlv('84', '0101', tlv('84', frame()), '8400')),
      2100,
    ],
    ['no container', notification('83000101', payload('70025A00')), 2100],
  ])('%s', (_, message, expected) => expect(ask(message)).toBe(expected));

  /** Packets of 64 bytes; `first`: the number of the first middle one. */
  function packets(message: string, first: number, last = ''): string {
    const length = (message.length / 2).toString(16).padStart(8, '0');
    const all = [`01${length}${message.slice(0, 118)}`];
    let at = 118;
    for (let number = first; message.length - at > 124; number++, at += 122)
      all.push(`02${number.toString(16).padStart(4, '0')}${message.slice(at, at + 122)}`);
    const left = ((message.length - at) / 2).toString(16).padStart(2, '0');
    return [...all, `03${last || left}${message.slice(at)}`]
      .map((one) => one.padEnd(128, '0'))
      .join('')
      .toUpperCase();
  }

  const card = tlv('DFDF52', '05') + tlv('DF74', '00'.repeat(60));
  const message = notification('83000101', payload(frame(CARD, '', card)));
  it.each([
    ['counted from 1', packets(message, 1), `emv ${PAN}`],
    ['counted from 0', packets(message, 0), `emv ${PAN}`],
    ['counted from 2', packets(message, 2), `emv ${PAN}`],
    ['counted from 3', packets(message, 3), 2100],
    ['with another length of the last', packets(message, 1, '01'), 2100],
    ['without the last', packets(message, 1).slice(0, -128), 2102],
    ['with another after the last', packets(message, 1) + packets(message, 1).slice(-128), 2100],
    ['with two first ones', packets(message, 1).slice(0, 128) + packets(message, 1), 2100],
  ])('in packets %s', (_, sent, expected) => expect(ask(sent)).toBe(expected));
});
