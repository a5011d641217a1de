import {TERMINAL_TYPES, type TerminalType} from '../src/engine/families/registry.js';
import {simulate} from '../src/library/simulate.js';
import {DEMO_PARTNER} from '../src/service/registry/demo-registry.js';

/** A request that tries to keep the service busy. */
export interface HostileRequest {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const PARSER = '/api/v1/decrypt/parser';
const DEVICE = '/api/v1/device/validate';
const {partnerId, partnerKey} = DEMO_PARTNER;
const CREDENTIALS = `"partnerId":"${partnerId}","partnerKey":"${partnerKey}"`;
/** Limits of a header and of a payload. */
const HEADER_CHARS = 15_000;
const PAYLOAD_CHARS = 65_536;

/** Units of which texts are made; a payload of a terminal is one as well. */
const UNITS: Readonly<Record<string, string>> = {
  blanks: ' ',
  zeros: '0',
  'hex FF': 'FF',
  'a card number': '4111111111111111',
  'card numbers apart': '4111 1111 1111 1111 ',
  'track 2': ';4111111111111111=30121010000000000000?',
  'tracks 1 and 2': '%B4111111111111111^A/B^3012101?;4111111111111111=3012101?',
  'nested TLV': 'E1820400',
  'TLV of an empty tag': '9F0200',
  'TLV of Miura': 'DFAE02021122',
  'indefinite TLV': 'E180',
  'frames of IDTech': '02C500',
  'frames of VIVOpay': '5669564F7465636832000200',
  base64: 'QUJDRA==',
  escapes: '%25',
  entities: '&#52;',
  equals: '=',
  braces: '}',
  brackets: '[',
  'line ends': '\n',
  'STX and ETX': '\u0002\u0003',
  'name and value': 'KSN: FFFF9876543210E00001\n',
  XML: '<a>',
  umlauts: '\u00e4',
  'digits of Arabic': '\u0664',
  emoji: '\u{1f600}',
};
const ENDS = ['', '!'];

/** JSON that is hard to read, of about so many bytes. */
function bodies(bytes: number): readonly (readonly [string, string | Uint8Array])[] {
  const filled = (unit: string, more = '') =>
    unit.repeat((bytes - 300) / Buffer.byteLength(unit)) + more;
  const many = (one: (i: number) => string, size: number) =>
    Array.from({length: (bytes - 300) / size}, (_, i) => one(i)).join(',');
  return [
    ['deep arrays', `{"a":${filled('[')}`],
    ['deep arrays, closed', `{"a":${'['.repeat(bytes / 2 - 200)}${']'.repeat(bytes / 2 - 200)}}`],
    ['deep objects', filled('{"a":')],
    ['many members', `{${many((i) => `"m${1e6 + i}":1`, 12)}}`],
    ['members of the same hash', `{${many((i) => `"${i}":1`, 9)}}`],
    ['a doubled member at the end', `{${many((i) => `"m${1e6 + i}":1`, 12)},"m1000000":1}`],
    ['escaped names', `{${many((i) => `"\\u0061${1e6 + i}":1`, 17)}}`],
    ['numbers', `{"a":[${many(() => '1e9', 4)}]}`],
    ['one long number', `{"a":${filled('9')}}`],
    ['many empty objects', `{"a":[${many(() => '{}', 3)}]}`],
    ['backslashes', `{"a":"${filled('\\\\')}"}`],
    ['quotes', `{"a":"${filled('\\"')}`],
    ['unicode escapes', `{"a":"${filled('\\u00e4')}"}`],
    ['lines, then a fault', filled('\n', 'x')],
    ['blanks, then a fault', filled(' ', 'x')],
    ['bytes that are no UTF-8', Buffer.from(filled('\ufffd') + '\u0000').fill(0xff, bytes - 400)],
    ['zero bytes', new Uint8Array(bytes)],
  ];
}

/** Requests with bodies of at most so many bytes. */
export async function hostileRequests(bytes: number): Promise<readonly HostileRequest[]> {
  const json = {'content-type': 'application/json'};
  const chars = Math.min(bytes - 400, PAYLOAD_CHARS);
  const filled = (unit: string, end = '') =>
    unit.repeat((chars - end.length) / Buffer.byteLength(unit)) + end;
  const member = (path: string, name: string, value: string, more = '') => ({
    path,
    headers: json,
    body: Buffer.from(
      `{${CREDENTIALS}${more},${JSON.stringify(name)}:${JSON.stringify(value)
        .slice(0, bytes - 350)
        .replace(/\\[^"]*$|"?$/, '"')}}`,
    ),
  });
  const texts = Object.entries(UNITS);
  const reads = await Promise.all(TERMINAL_TYPES.map(payloadOf));
  const asBodies = bodies(bytes).map(([name, body]) => ({
    name: `JSON: ${name}`,
    path: PARSER,
    headers: json,
    body: Buffer.from(body),
  }));
  const asMembers = texts.flatMap(([name, unit]) =>
    ['reference', 'serial', 'partnerId', 'deviceType', 'clientId'].map((place) => ({
      name: `${place}: ${name}`,
      ...member(place === 'serial' ? DEVICE : PARSER, place, filled(unit)),
    })),
  );
  const asPayloads = TERMINAL_TYPES.flatMap((type, i) =>
    [...texts, [`reads of ${type}`, reads[i] ?? '02'] as const].flatMap(([name, unit]) =>
      ENDS.map((end) => ({
        name: `${type}: ${name}${end}`,
        ...member(PARSER, 'devicePayload', filled(unit, end), `,"deviceType":"${type}"`),
      })),
    ),
  );
  const asHeaders = texts.flatMap(([name, unit]) =>
    /^[\x20-\x7e]+$/.test(unit)
      ? HEADERS.map((form) => ({
          name: `Authorization: ${form('...')}: ${name}`,
          path: PARSER,
          headers: {
            ...json,
            authorization: form(unit.replaceAll('"', '').repeat(HEADER_CHARS / unit.length)),
          },
          body: Buffer.from('{}'),
        }))
      : [],
  );
  return [...asBodies, ...asMembers, ...asPayloads, ...asHeaders];
}

const HEADERS: readonly ((text: string) => string)[] = [
  (text) => `Basic ${text}`,
  (text) => `Digest ${text}`,
  (text) => `Digest username="${text}"`,
  (text) => `Hmac username="${partnerId}", nonce="${text}"`,
  (text) => `Hmac ${'a="",'.repeat(text.length / 6)}`,
  (text) => `Rsa username="${partnerId}", response="${text}"`,
];

/** A read of a terminal, to be repeated; types that are only refused have none. */
async function payloadOf(deviceType: TerminalType): Promise<string> {
  const found = await simulate({deviceType, testKeys: true}).catch(() => undefined);
  return found?.devicePayload ?? '02';
}
