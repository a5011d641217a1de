import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parseAuthorization, quote} from '../../src/auth/authorization-header.js';
import {signHmac} from '../../src/auth/methods/hmac.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import {cpuMilliseconds} from '../cpu-time.js';
import {NOW, SHARED_KEY, TARGET, testServer} from './auth-fixture.js';

const BODY = Buffer.from('{"reference":"r-1"}');
const NONCE = '1l5daa1ju1b7lmljc5p4nev0ve';
const GOOD = signHmac(
  {method: 'POST', target: TARGET, body: BODY},
  {partnerId: 'WATERFORD', nonce: NONCE, timestamp: NOW},
  new HmacKey(Buffer.from(SHARED_KEY)),
);
const RESPONSE = /[0-9a-f]{64}/.exec(GOOD)?.[0] ?? '';

function answer(...authorization: string[]): Promise<string> {
  return testServer().answer({body: BODY, authorization});
}

const swap = (from: string, to: string) => GOOD.replace(from, () => to);

const MALFORMED: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['the scheme alone', 'Hmac'],
  ['the scheme and a blank', 'Hmac '],
  ['no scheme', GOOD.slice(5)],
  ['a blank before the scheme', ` ${GOOD}`],
  ['a tab after the scheme', swap('Hmac ', 'Hmac\t')],
  ['no blank after the scheme', swap('Hmac ', 'Hmac')],
  ['a comma after the scheme', swap('Hmac ', 'Hmac, ')],
  ['a colon after the scheme', swap('Hmac ', 'Hmac: ')],
  ['a quoted scheme', swap('Hmac ', '"Hmac" ')],
  ['another scheme', swap('Hmac ', 'Hmacx ')],
  ['Bearer', 'Bearer abc'],
  ['Negotiate', 'Negotiate YII='],
  ['token68 for a scheme with parameters', 'Hmac YWJj'],
  ['a comma at the beginning', swap('username', ', username')],
  ['a comma at the end', `${GOOD},`],
  ['a comma and a blank at the end', `${GOOD}, `],
  ['an empty element', swap(', nonce', ', , nonce')],
  ['two commas', swap(', nonce', ',, nonce')],
  ['a blank at the end', `${GOOD} `],
  ['text at the end', `${GOOD} x`],
  ['text against the last quote', `${GOOD}x`],
  ['semicolons', GOOD.replaceAll(',', ';')],
  ['no comma between parameters', swap(', nonce', ' nonce')],
  ['single quotes', GOOD.replaceAll('"', "'")],
  ['a quote that is not closed', GOOD.slice(0, -1)],
  ['a quote that closes twice', swap('"WATERFORD"', '"WATERFORD""')],
  ['a quote inside a value', swap('WATERFORD', 'WATER"FORD')],
  ['a backslash before the last quote', swap('WATERFORD"', 'WATERFORD\\"')],
  ['a backslash at the end', `${GOOD.slice(0, -1)}\\`],
  ['a control character in quotes', swap('WATERFORD', 'WATER\u0001FORD')],
  ['a line feed in quotes', swap('WATERFORD', 'WATER\nFORD')],
  ['a NUL', swap('WATERFORD', 'WATERFORD\0')],
  ['DEL', swap('WATERFORD', 'WATERFORD\x7f')],
  ['a tab in the username', swap('WATERFORD', 'WATER\tFORD')],
  ['a latin1 character', swap('WATERFORD', 'W\u00c4TERFORD')],
  ['UTF-8 bytes as latin1', swap('WATERFORD', 'W\u00c3\u0084TERFORD')],
  ['a character above latin1', swap('WATERFORD', 'WATERFORD\u2603')],
  ['an unquoted username', swap('"WATERFORD"', 'WATERFORD')],
  ['an unquoted nonce', swap(`"${NONCE}"`, NONCE)],
  ['an unquoted response', swap(`"${RESPONSE}"`, RESPONSE)],
  ['an empty username', swap('WATERFORD', '')],
  ['an empty nonce', swap(NONCE, '')],
  ['a nonce of 129 characters', swap(NONCE, 'n'.repeat(129))],
  ['a nonce of 1 MB', swap(NONCE, 'n'.repeat(1 << 20))],
  ['a username of 129 characters', swap('WATERFORD', 'W'.repeat(129))],
  ['a header of 64 KB', `${GOOD}, x="${'x'.repeat(65_536)}"`],
  ['a header of 4097 bytes', swap(', nonce', `,${' '.repeat(4097 - GOOD.length + 1)}nonce`)],
  ['no username', swap('username="WATERFORD", ', '')],
  ['no nonce', swap(`nonce="${NONCE}", `, '')],
  ['no timestamp', swap(`timestamp=${NOW}, `, '')],
  ['no response', swap(`, response="${RESPONSE}"`, '')],
  ['the username twice', `${GOOD}, username="WATERFORD"`],
  ['the username twice, in two cases', `${GOOD}, Username="WATERFORD"`],
  ['the nonce twice', `${GOOD}, nonce="${NONCE}"`],
  ['the timestamp twice', `${GOOD}, timestamp=${NOW}`],
  ['the response twice', `${GOOD}, response="${RESPONSE}"`],
  ['an unknown parameter', `${GOOD}, foo="bar"`],
  ['an unknown parameter __proto__', `${GOOD}, __proto__="x"`],
  ['a parameter without a name', swap('username=', '=')],
  ['a parameter without "="', swap('username=', 'username')],
  ['a parameter without a value', swap('"WATERFORD"', '')],
  ['two "="', swap('username=', 'username==')],
  ['a name in quotes', swap('username', '"username"')],
  ['a blank inside a name', swap('username', 'user name')],
  ['a colon for "="', swap('username=', 'username:')],
  ['a negative timestamp', swap(`${NOW}`, `-${NOW}`)],
  ['a timestamp with a plus', swap(`${NOW}`, `+${NOW}`)],
  ['a fraction', swap(`${NOW}`, `${NOW}.0`)],
  ['an exponent', swap(`${NOW}`, '1.489574949e9')],
  ['a timestamp in hex', swap(`${NOW}`, '0x58C92125')],
  ['leading zeros', swap(`${NOW}`, `000${NOW}`)],
  ['a timestamp with a blank', swap(`${NOW}`, `"${NOW} "`)],
  ['NaN', swap(`${NOW}`, 'NaN')],
  ['full-width digits', swap(`${NOW}`, '"\uff11\uff14\uff18"')],
  ['an empty timestamp', swap(`${NOW}`, '')],
  ['an empty timestamp in quotes', swap(`${NOW}`, '""')],
  ['a timestamp of 20 digits', swap(`${NOW}`, '9'.repeat(20))],
  ['a response of 62 digits', swap(RESPONSE, RESPONSE.slice(2))],
  ['a response of 63 digits', swap(RESPONSE, RESPONSE.slice(1))],
  ['a response of 65 digits', swap(RESPONSE, `${RESPONSE}0`)],
  ['a response of 66 digits', swap(RESPONSE, `${RESPONSE}00`)],
  ['a response that is not hex', swap(RESPONSE, `g${RESPONSE.slice(1)}`)],
  ['a response with junk at the end', swap(RESPONSE, `${RESPONSE.slice(0, 63)}x`)],
  ['a response in base64', swap(RESPONSE, Buffer.from(RESPONSE, 'hex').toString('base64'))],
  ['an empty response', swap(RESPONSE, '')],
];

describe('a malformed Authorization header is refused', () => {
  it.each(MALFORMED)('%s', async (_, header) => {
    expect(await answer(header)).toMatch(/^(?:malformed|scheme)$/);
  });

  it('two headers, even two good ones', async () => {
    expect(await answer(GOOD, GOOD)).toBe('malformed');
  });
});

describe('a header in another form is accepted', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['the canonical form', GOOD],
    ['the scheme in upper case', swap('Hmac', 'HMAC')],
    ['the scheme in lower case', swap('Hmac', 'hmac')],
    ['names in another case', swap('username', 'UserName')],
    ['several blanks after the scheme', swap('Hmac ', 'Hmac   ')],
    ['no blanks after commas', GOOD.replaceAll(', ', ',')],
    ['tabs and blanks around commas', GOOD.replaceAll(', ', '\t ,\t ')],
    ['blanks around "="', swap('username=', 'username = ')],
    ['a quoted timestamp', swap(`${NOW}`, `"${NOW}"`)],
    ['a quoted-pair that needs none', swap('WATERFORD', 'WATER\\FORD')],
    ['the response in upper case', swap(RESPONSE, RESPONSE.toUpperCase())],
    ['the response in mixed case', swap(RESPONSE, RESPONSE.replace('a', 'A'))],
    ['4096 bytes', swap(', nonce', `,${' '.repeat(4096 - GOOD.length + 1)}nonce`)],
    ['another order', `Hmac ${GOOD.slice(5).split(', ').reverse().join(', ')}`],
  ];

  it.each(forms)('%s', async (_, header) => {
    expect(await answer(header)).toBe('accepted');
  });
});

describe('parseAuthorization', () => {
  it('undoes what quote does', () => {
    fc.assert(
      fc.property(
        fc.string({
          maxLength: 128,
          unit: fc.integer({min: 32, max: 126}).map((c) => String.fromCharCode(c)),
        }),
        (text) => {
          const parsed = parseAuthorization(`Hmac username=${quote(text)}`);
          expect(parsed?.parameters.get('username')).toMatchObject({value: text, quoted: true});
        },
      ),
    );
  });

  it('takes any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary', maxLength: 300}), (text) => {
        expect(() => parseAuthorization(text)).not.toThrow();
      }),
    );
  });

  it('reads the longest nasty header in a moment', () => {
    const nasty = `Hmac ${'a="\\"\\",'.repeat(500)}`;
    const time = cpuMilliseconds(() => {
      for (let i = 0; i < 100; i++) parseAuthorization(nasty);
    });
    expect(time).toBeLessThan(500);
  });
});

describe('a changed header', () => {
  const fieldsOf = (header: string) => {
    const parsed = parseAuthorization(header);
    if (!parsed) return undefined;
    const values = [...parsed.parameters].map(([name, {value}]) => [
      name,
      name === 'response' ? value.toLowerCase() : value,
    ]);
    return JSON.stringify([parsed.scheme, values.sort()]);
  };
  const expected = fieldsOf(GOOD);

  it('is accepted only when all its fields are the same', async () => {
    const change = fc.tuple(
      fc.nat(GOOD.length - 1),
      fc.constantFrom('replace', 'insert', 'delete', 'copy'),
      fc.integer({min: 0, max: 255}).map((code) => String.fromCharCode(code)),
      fc.nat(40),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, {minLength: 1, maxLength: 3}), async (changes) => {
        let header = GOOD;
        for (const [at, kind, text, length] of changes) {
          const before = header.slice(0, at);
          if (kind === 'replace') header = before + text + header.slice(at + 1);
          if (kind === 'insert') header = before + text + header.slice(at);
          if (kind === 'delete') header = before + header.slice(at + length);
          if (kind === 'copy') header = before + header.slice(at, at + length) + header.slice(at);
        }
        const accepted = (await answer(header)) === 'accepted';
        expect(accepted).toBe(fieldsOf(header) === expected);
      }),
      {numRuns: process.env.SLOW ? 50_000 : 2000},
    );
  });
});
