import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {inspectionTable} from '../../src/cli/output/inspection-table.js';
import {redactCardNumbers} from '../../src/contract/masks/redact-card-numbers.js';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {GENERIC_MEMBERS} from '../../src/engine/families/generic/layout.js';
import {IDTECH_TAGS} from '../../src/engine/families/idtech/vivopay/layout.js';
import {INGENICO_TAGS} from '../../src/engine/families/ingenico/layout.js';
import {MIURA} from '../../src/engine/families/miura/layout.js';
import {
  TERMINAL_TYPES,
  TERMINALS,
  type TerminalRequest,
  type TerminalType,
} from '../../src/engine/families/registry.js';
import {VERIFONE_TAGS} from '../../src/engine/families/verifone/layout.js';
import {WISEPAD} from '../../src/engine/families/wisepad/layout.js';
import {DICTIONARY_MEMBERS as WISEPAD_MEMBERS} from '../../src/engine/families/wisepad/members.js';
import {writeLinkFrames} from '../../src/engine/forms/link-frame.js';
import {compactHex} from '../../src/engine/forms/payload-bytes.js';
import {maskedPayload} from '../../src/engine/inspection/hidden-cells.js';
import {inspectBoth, inspectPayload} from '../../src/engine/inspection/inspect-payload.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {writeTlv} from '../../src/engine/tlv/ber.js';
import {EMV_TAGS, isConstructed} from '../../src/engine/tlv/tags.js';
import {type Part, Trace} from '../../src/engine/trace.js';
import {readSamples} from '../engine/samples.js';
import {BYTE_SPELLINGS, cards, findCard, TEXT_SPELLINGS} from './card-spellings.js';

const byteSpelling = fc.constantFrom(...Object.entries(BYTE_SPELLINGS));
const textSpelling = fc.constantFrom(...Object.entries(TEXT_SPELLINGS));
/** Base64 is looked for where a member is base64, and so not in a text without members. */
const plainSpelling = textSpelling.filter(([name]) => !name.startsWith('base64'));

/** All that `inspect` writes of a payload. */
function shownOf(request: TerminalRequest): string {
  const {failure, ...found} = inspectPayload(request, false);
  const values = found.parts.map(({value, meaning}) => `${value}\n${meaning}`).join('\n');
  const message = redactCardNumbers(failure?.message ?? '');
  return [values, JSON.stringify(found), inspectionTable(found), message].join('\n');
}

function traceOf({deviceType, devicePayload}: TerminalRequest): Trace {
  const trace = new Trace();
  try {
    readPayload(TERMINALS[deviceType], devicePayload, trace);
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
  }
  return trace;
}

/** A KSN, a serial number or an amount stays readable: it is known by its field. */
const isReadable = ({sensitivity}: Part) => sensitivity === 'harmless';

function isReadableIn(request: TerminalRequest, card: string): boolean {
  return traceOf(request)
    .parts.filter(isReadable)
    .some(({value, text}) => [value, text ?? ''].some((one) => findCard(one, card) !== undefined));
}

const LEAST_BYTES = 6;

/** A place of a published read whose content may be anything. */
interface Place {
  readonly request: TerminalRequest;
  readonly unit: 'byte' | 'character';
  readonly part: Part;
}

function placesOf(deviceType: TerminalType): Place[] {
  return readSamples(deviceType).flatMap(({request}) => {
    const {parts, unit} = traceOf(request);
    const roomy = parts.filter((part) => !isReadable(part) && part.value.length >= LEAST_BYTES);
    return roomy.map((part) => ({request, unit, part}));
  });
}

/** The payload with other bytes, or another text, in the place of a part's value. */
function overwritten({request, unit, part}: Place, bytes: Buffer, text: string) {
  const {devicePayload} = request;
  const {offset, length, value} = part;
  if (unit === 'character') {
    const at = devicePayload.indexOf(value, offset);
    // The bytes of a value in base64 stand nowhere.
    if (at < 0) return undefined;
    return devicePayload.slice(0, at) + text + devicePayload.slice(at + value.length);
  }
  const compact = compactHex(devicePayload);
  const payload = Buffer.from(compact ?? devicePayload, compact === undefined ? 'latin1' : 'hex');
  const size = /^(?:[\dA-F]{2})+$/.test(value) ? value.length / 2 : value.length;
  const room = payload.subarray(offset + length - size, offset + length);
  // Cut behind its digits, a short number lacks the expiry that tells it from a serial number.
  if (bytes.length > room.length) return undefined;
  // What stands beside a number must not be a digit of it.
  if (bytes.length < room.length) room[bytes.length] = 0xee;
  bytes.copy(room);
  return payload.toString(compact === undefined ? 'latin1' : 'hex').toUpperCase();
}

describe.each(TERMINAL_TYPES)('inspect of %s', (deviceType) => {
  const places = placesOf(deviceType);

  it('shows no card in the place of any part of any published read', () => {
    let tried = 0;
    const property = fc.property(
      fc.constantFrom(...places),
      cards,
      byteSpelling,
      deviceType === 'ingenico-rba' ? plainSpelling : textSpelling,
      fc.constantFrom(1, 1, 0.9, 0.7, 0.5),
      (place, card, [, inBytes], [, inText], share) => {
        const bytes = inBytes(card);
        if (place.unit === 'byte' && bytes.length > place.part.length) return;
        const whole = overwritten(place, bytes, inText(card));
        if (whole === undefined) return;
        const devicePayload = whole.slice(0, Math.ceil(whole.length * share));
        // A number that was cut is not looked for: in base64 it is found by its middle.
        if (place.unit === 'character' && !devicePayload.includes(inText(card))) return;
        const request = {...place.request, devicePayload};
        if (isReadableIn(request, card)) return;
        tried++;
        expect(findCard(shownOf(request), card)).toBeUndefined();
      },
    );
    fc.assert(property, {numRuns: 300});
    expect(tried).toBeGreaterThan(30);
  });
});

describe.each(TERMINAL_TYPES)('a payload that is not of %s', (deviceType) => {
  it('shows no card in its bytes, whatever its first digits pass for', () => {
    const property = fc.property(
      cards,
      byteSpelling,
      fc.constantFrom('', '01', '02', 'E1'),
      (card, [, spell], before) => {
        const devicePayload = before + spell(card).toString('hex').toUpperCase();
        const both = inspectBoth({deviceType, devicePayload});
        if (both.clear.failure?.code !== 2100) return;
        expect(findCard(maskedPayload(devicePayload, both).text, card)).toBeUndefined();
      },
    );
    fc.assert(property, {numRuns: 200});
  });
});

const UNKNOWN_TAGS = [
  'DFEF7D',
  'DF01',
  'C9',
  'DFAE5A',
  'DFAE57',
  'DFEF5B',
  'DFEF5D',
  '9F7C',
  'DF7E',
];

/** Reads to which an object of any tag may be added. */
const TAG_READERS: readonly (readonly [TerminalType, string, Readonly<Record<string, string>>])[] =
  [
    ['idtech', '9F390105', IDTECH_TAGS],
    ['miura', '9F390105', MIURA.names],
    ['verifone', '9F390105', VERIFONE_TAGS],
    ['wisepad', 'C00AFFFF9876543210E00001C208A1B2C3D4E5F6A7B8', WISEPAD.names],
  ];

describe.each(TAG_READERS)('inspect of a TLV list of %s', (deviceType, before, names) => {
  const tags = [...UNKNOWN_TAGS, ...Object.keys(names), ...Object.keys(EMV_TAGS)];

  it('shows no card in any tag', () => {
    const tag = fc.constantFrom(...tags.filter((one) => !isConstructed(one)));
    let tried = 0;
    const property = fc.property(tag, cards, byteSpelling, (one, card, [, spell]) => {
      const object = Buffer.from(writeTlv(one, spell(card))).toString('hex');
      const request = {deviceType, devicePayload: before + object.toUpperCase()};
      if (isReadableIn(request, card)) return;
      tried++;
      expect(findCard(shownOf(request), card)).toBeUndefined();
    });
    fc.assert(property, {numRuns: 500});
    expect(tried).toBeGreaterThan(300);
  });
});

const CIPHERTEXT = 'A1B2C3D4E5F6A7B8A1B2C3D4E5F6A7B8A1B2C3D4E5F6A7B8';
const KSN = 'FFFF9876543210E00001';

/** Texts to which a member of any name may be added. */
const TEXT_READERS: Readonly<
  Record<string, readonly [TerminalType, (name: string, value: string) => string]>
> = {
  'generic JSON': ['generic', (name, value) => json({ksn: KSN, track2: CIPHERTEXT, [name]: value})],
  'generic JSON with a list': [
    'generic',
    (name, value) =>
      json({
        ksn: KSN,
        encrypted: [
          {name, value: CIPHERTEXT},
          {name: 'x', value},
        ],
      }),
  ],
  'generic JSON with a number': [
    'generic',
    (name, value) =>
      json({ksn: KSN, track2: CIPHERTEXT, x: {[name]: [Number(value)], y: Number(value)}}),
  ],
  'generic text': ['generic', (name, value) => `ksn=${KSN}|track2=${CIPHERTEXT}|${name}=${value}`],
  'WisePad JSON': [
    'wisepad',
    (name, value) => json({ksn: KSN, encTrack2: CIPHERTEXT, [name]: value}),
  ],
  'WisePad dump': [
    'wisepad',
    (name, value) => `{ksn=${KSN}, encTrack2=${CIPHERTEXT}, ${name}=${value}}`,
  ],
  'WisePad lines': [
    'wisepad',
    (name, value) => `KSN: ${KSN}\nEncrypted Track 2: ${CIPHERTEXT}\n${name}: ${value}`,
  ],
  'WisePad query': [
    'wisepad',
    (name, value) => `ksn=${KSN}&encTrack2=${CIPHERTEXT}&${name}=${encodeURIComponent(value)}`,
  ],
  'a TVP text': ['verifone', (name, value) => `TVP|ksn:${KSN}|vipa:${CIPHERTEXT}|${name}:${value}`],
  'a MagneSafe string': [
    'phressiapad',
    (name, value) =>
      `${value}|0600|${CIPHERTEXT}|||${name}|${value}|B1|${value}|${KSN}|1|2|0000|${value}`,
  ],
  'RBA fields': [
    'ingenico-rba',
    (name, value) => `23.0M${value}\x1c${value}\x1c${KSN}:2:24:${CIPHERTEXT}\x1c${name}${value}`,
  ],
  'an E07 message': ['verifone', (name, value) => `\x02E070105\x1c01\x1c${name}\x1c${value}\x03`],
  'a C31 message': ['verifone', (name, value) => `\x02C3100${name}${value}`],
};

describe.each(Object.entries(TEXT_READERS))('inspect of %s', (_, [deviceType, write]) => {
  const known = [...Object.keys(GENERIC_MEMBERS), ...Object.keys(WISEPAD_MEMBERS)];
  const names = fc.oneof(fc.constantFrom('x', 'note', ...known), cards);

  it('shows no card in any member, nor as its name', () => {
    let tried = 0;
    const spelling = deviceType === 'ingenico-rba' ? plainSpelling : textSpelling;
    const property = fc.property(names, cards, spelling, (name, card, [form, spell]) => {
      const request = {deviceType, devicePayload: write(name, spell(card))};
      // A serial number stays readable, as known by its field; digits in base64 are none of its.
      if (isReadableIn(request, card) && !/^base64(?: of hex)?$/.test(form)) return;
      tried++;
      const shown = shownOf(request);
      expect(findCard(shown, card)).toBeUndefined();
      expect(findCard(shown, name)).toSatisfy((found) => !/^\d/.test(name) || found === undefined);
    });
    fc.assert(property, {numRuns: 200});
    expect(tried).toBeGreaterThan(100);
  });
});

describe('inspect of a 33.x message', () => {
  it('shows no card in any tag', () => {
    const tag = fc.constantFrom(...Object.keys({...INGENICO_TAGS, ...EMV_TAGS}), 'DF01');
    const property = fc.property(tag, cards, byteSpelling, (one, card, [, spell]) => {
      const bytes = spell(card);
      const field = `T${one}:${bytes.length.toString(16).padStart(2, '0')}:h${bytes.toString('hex')}`;
      const request = {deviceType: 'ingenico-rba' as const, devicePayload: `33.03.0010${field}`};
      if (isReadableIn(request, card)) return;
      expect(findCard(shownOf(request), card)).toBeUndefined();
    });
    fc.assert(property, {numRuns: 300});
  });
});

describe('inspect of a value that two frames share', () => {
  it('shows no card across them', () => {
    const property = fc.property(cards, byteSpelling, fc.nat({max: 24}), (card, [, spell], at) => {
      const value = Buffer.concat([
        Buffer.alloc(225 + at, 0xee),
        spell(card),
        Buffer.alloc(30, 0xee),
      ]);
      const devicePayload = Buffer.from(writeLinkFrames(writeTlv('DF01', value))).toString('hex');
      const {parts} = inspectPayload({deviceType: 'miura', devicePayload}, false);
      const pieces = parts.filter(({name}) => name.startsWith('DF01'));
      expect(pieces).toHaveLength(2);
      expect(findCard(pieces.map((piece) => piece.value).join(''), card)).toBeUndefined();
    });
    fc.assert(property, {numRuns: 300});
  });
});

function json(value: object): string {
  return JSON.stringify(value);
}

describe('a serial number', () => {
  const PAN = '411111111117';
  const encoded = Buffer.from(PAN).toString('base64');
  const shown = (devicePayload: string, deviceType: TerminalType) =>
    shownOf({deviceType, devicePayload});

  it('stays readable, digits of any length included', () => {
    for (const serial of ['GN-700412', '0000742T09', PAN, 'MTEX-NDEA-7781']) {
      const payload = json({ksn: KSN, track2: CIPHERTEXT, serial});
      expect(shown(payload, 'generic')).toContain(serial);
    }
  });

  it('holds no card in base64, as text or in a tag', () => {
    const payload = json({ksn: KSN, track2: CIPHERTEXT, serial: encoded});
    expect(shown(payload, 'generic')).not.toContain(encoded);
    const tag = Buffer.from(writeTlv('9F1E', Buffer.from(encoded)))
      .toString('hex')
      .toUpperCase();
    const list = shown(`9F390105${tag}`, 'idtech');
    expect(list).not.toContain(encoded);
    expect(list).not.toContain(Buffer.from(encoded).toString('hex').toUpperCase());
  });

  it('of bytes that are no text holds no card, neither in its tag nor in the head', () => {
    const [place] = placesOf('magtek').filter(({part}) => part.name.startsWith('DFDF25'));
    if (!place) throw new Error('no sample with DFDF25');
    const property = fc.property(cards, (card) => {
      const devicePayload = overwritten(place, BYTE_SPELLINGS['packed digits']!(card), card);
      // A longer number has no room in eight bytes, and bytes that are all printable are a text.
      if (devicePayload === undefined || isReadableIn({...place.request, devicePayload}, card))
        return;
      expect(findCard(shown(devicePayload, 'magtek'), card)).toBeUndefined();
    });
    fc.assert(property, {numRuns: 100});
  });
});
