import {describe, expect, test} from 'vitest';
import {resign} from '../../../src/service/inspector/resign.js';
import {shownBody} from '../../../src/service/inspector/shown-body.js';
import {shownHead} from '../../../src/service/inspector/shown-head.js';
import {payloadMask, shownPayload} from '../../../src/service/inspector/shown-payload.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';

const HEX = 'ABCDEFABCDEFABCDEFABCDEFABCDEFAB';

describe('a secret in a body that is not proper JSON', () => {
  const KEY = 'pk0123456789abcdef';
  const json = JSON.stringify({partnerId: 'W', partnerKey: KEY, serial: 'S'});
  test.each([
    `partnerId=W&partnerKey=${KEY}`,
    `partnerKey=${KEY}&x=1`,
    `partnerKey%3D${KEY}`,
    `{'partnerKey':'${KEY}'}`,
    `{partnerKey : "${KEY}"}`,
    `{partnerId:W,partnerKey:${KEY}}`,
    `{"partnerKey" = "${KEY}"}`,
    `{"partnerKey" => "${KEY}"}`,
    `<partnerKey>${KEY}</partnerKey>`,
    `partnerId: W\npartnerKey: ${KEY}\n`,
    `--b\r\nContent-Disposition: form-data; name="partnerKey"\r\n\r\n${KEY}\r\n--b--`,
    json.slice(0, -1),
    JSON.stringify(json),
    JSON.stringify(JSON.stringify(json)),
  ])('%s', (body) => {
    const masks = {secrets: [], value: () => undefined, encoding: 'utf8'} as const;
    expect(shownBody(body, masks).text).toBe(body.replace(KEY, '*'.repeat(KEY.length)));
  });

  test('which is longer than any key, up to the end', () => {
    const masks = {secrets: [], value: () => undefined, encoding: 'utf8'} as const;
    expect(shownBody(`key='${'a'.repeat(5000)}`, masks).text).toBe(`key='${'*'.repeat(5000)}`);
  });
});

describe('a header', () => {
  test.each([
    ['Accept', '*/*', '*/*'],
    ['X-Trace', HEX, '*'.repeat(32)],
    ['X-Pan', '4111111111111111', '411111******1111'],
    ['Referer', 'http://localhost/?access_token=abc', 'http://localhost/?access_token=***'],
    ['X-Long', 'long '.repeat(1000), 'long '.repeat(1000)],
    ['Authorization', 'Basic abc', 'Basic ***'],
    ['Authorization', ' bEARER abc', ' bEARER ***'],
    ['Authorization', 'Digest x="y"', 'Digest *****'],
    ['Authorization', 'Other abc', '*********'],
    ['Authorization', 'abc', '***'],
    [
      'authorization',
      'Hmac username="A", nonce="n", timestamp=1, response="ab\\"cd"',
      'Hmac username="A", nonce="n", timestamp=1, response="******"',
    ],
    ['Authorization', 'Rsa timestamp=1, response = abcd', 'Rsa timestamp=1, response = ****'],
    ['Authorization', 'Hmac nonce="n", response="abcd', 'Hmac nonce="n", response="****'],
    ['Authorization', 'Hmac nonce="n", answer="abcd"', `Hmac ${'*'.repeat(24)}`],
    ['Authorization', 'Hmac username="A", response="abcd"', `Hmac ${'*'.repeat(29)}`],
    ['Proxy-Authorization', 'Hmac nonce="n", response="abcd"', `Hmac ${'*'.repeat(26)}`],
    ['Cookie', 'a=b', '***'],
    ['X-Token', 'a', '*'],
    ['X-Secret', 'a', '*'],
    ['X-Api-Key', 'a', '*'],
    ['X-Passwd', 'a', '*'],
    ['X-Signature', 'a', '*'],
    ['X-Session-Id', 'a', '*'],
  ])('%s: %s', (name, value, shown) => {
    expect(shownHead([name, value, 'Lone'])).toEqual([[name, shown]]);
  });
});

describe('a body', () => {
  const secrets = ['secret-of-partner', 'short'];
  const hidden = '*'.repeat(32);

  test.each([
    ['{"partnerKey":"abc","a":1}', '{"partnerKey":"***","a":1}'],
    ['{"partnerKey": 1234, "b": true}', '{"partnerKey": ****, "b": true}'],
    ['{"token":null}', '{"token":****}'],
    ['{"bdk":"a","ik":"b","pwd":"c"}', '{"bdk":"*","ik":"*","pwd":"*"}'],
    ['{"x-credential":"é"}', '{"x-credential":"**"}'],
    ['{"pass\\u0077ord":"a"}', '{"pass\\u0077ord":"*"}'],
    ['{"keyed":"a","keySerial":"b"}', '{"keyed":"a","keySerial":"b"}'],
    ['["password","a"]', '["password","a"]'],
    ['{"secret":"ab', '{"secret":"**'],
    [`{"ksn":"${HEX}","iv":"${HEX}"}`, `{"ksn":"${HEX}","iv":"${HEX}"}`],
    [`{"reference":"${HEX}","x":"${HEX}"}`, `{"reference":"${HEX}","x":"${hidden}"}`],
    [`{"${HEX}":${HEX},"a":["${HEX}"]}`, `{"${hidden}":${hidden},"a":["${hidden}"]}`],
    ['{"card":"a\\u0031\\n2"}', '{"card":"a******\\n*"}'],
    ['{"card":"12', '{"card":"**'],
    ['{"a":"4111111111111111"}', '{"a":"411111******1111"}'],
    ['{"a":"４１１１１１１１１１１１１１１１"}', `{"a":"４１１１１１${'*'.repeat(18)}１１１１"}`],
    ['secret-of-partner, short', '*****************, short'],
    ['', ''],
  ])('%s', (body, shown) => {
    const value = (member: string, text: string) =>
      member === 'card' ? text.replace(/\d/g, '*') : undefined;
    const {text} = shownBody(body, {secrets, value, encoding: 'utf8'});
    expect(text).toBe(shown);
    expect(Buffer.byteLength(text)).toBe(Buffer.byteLength(body));
  });

  test.each([
    ['miura', 'E100', 'E100'],
    ['nonsense', 'E100', 'E100'],
    ['nonsense', 'E10A 4111111111111111', '**** ****************'],
    ['miura', 'E10A5A084111111111111111', 'E10A5A08411111******1111'],
    ['miura', 'e10a 5a084111111111111111', 'e10a 5a08411111******1111'],
  ])('has the payload of %s %s as %s', (deviceType, devicePayload, shown) => {
    const sent = {deviceType, devicePayload};
    const mask = payloadMask(sent, shownPayload(sent, true));
    expect(mask('devicePayload', devicePayload)).toBe(shown);
  });
});

describe('a request that is sent again', () => {
  test.each([
    ['no header', [], 'kept', 'Its credentials are in the body: nothing is to be signed.'],
    [
      'two headers',
      ['Hmac x', 'Hmac x'],
      'kept',
      'Its Authorization header is of no method: it is sent as it came.',
    ],
    [
      'another scheme',
      ['Bearer x'],
      'kept',
      'Its Authorization header is of no method: it is sent as it came.',
    ],
    [
      'Basic',
      ['Basic x'],
      'kept',
      'Basic signs nothing: its Authorization header is sent as it came.',
    ],
    [
      'an unknown partner',
      ['Hmac username="X"'],
      'impossible',
      'There is no partner X, so it cannot be signed.',
    ],
    [
      'a partner without an RSA key',
      ['Rsa username="DEMO-UNSIGNED"'],
      'impossible',
      'Only the sender has the RSA private key of partner DEMO-UNSIGNED, so it cannot be signed here.',
    ],
    [
      'a partner without a shared key',
      ['Hmac username="DEMO-UNSIGNED"'],
      'impossible',
      'Partner DEMO-UNSIGNED has no key for HMAC, so it cannot be signed.',
    ],
  ])('with %s', async (_, headers, kind, text) => {
    const rawHeaders = headers.flatMap((header) => ['Authorization', header]);
    const signing = {partners: demoRegistry().partners, timestamp: 1, digestNonce: () => 'n'};
    const found = await resign({target: '/x', rawHeaders, body: Buffer.from('')}, signing);
    expect(found).toEqual({kind, text, rawHeaders});
  });
});
