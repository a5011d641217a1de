import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {blockAnswerer} from '../../src/cli/batch/answer-block.js';
import {isMarked} from '../../src/contract/parse-json.js';
import {testKeys} from '../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {runCommand} from '../cli/run-command.js';
import {readSamples} from '../engine/samples.js';

/** `decrypt --json`, `--batch` and `serve --extended` answer one request alike, but for messageId. */

const MESSAGE_ID = /("messageId": ?)"1\d{24}"/;

const folder = mkdtempSync(join(tmpdir(), 'paylens-same-'));
let server: TestServer;
const answerBlock = blockAnswerer({keys: testKeys(), flags: {}, draw: 12345});

beforeAll(async () => {
  server = await startServer({extended: true});
});
afterAll(async () => {
  await server.close();
  rmSync(folder, {recursive: true});
});

interface Answers {
  readonly served: string;
  readonly batch: string;
  readonly decrypted: string;
}

async function answersTo(body: string | Uint8Array): Promise<Answers> {
  const bytes = Buffer.from(body as string);
  const {partnerId, partnerKey} = server.partner;
  const response = await fetch(`${server.url}/api/v1/decrypt/parser`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${partnerId}:${partnerKey}`).toString('base64')}`,
    },
    body: bytes,
  });
  const file = join(folder, 'request.json');
  // Files may begin with a byte order mark, bodies may not.
  writeFileSync(file, isMarked(bytes) ? Buffer.concat([Buffer.from('\uFEFF'), bytes]) : bytes);
  const {stdout} = await runCommand('decrypt', ['--file', file, '--json', '--test-keys']);
  const block = new Uint8Array([...bytes, 0x0a]);
  const batch = Buffer.from(answerBlock(block).bytes).toString();
  // What stands in front of a line in its block changes nothing, not even what is no UTF-8.
  const behind = answerBlock(new Uint8Array([0xff, 0x0a, ...block]));
  const [, later] = Buffer.from(behind.bytes).toString().split('\n');
  expect(withoutId(`${later}\n`)).toBe(withoutId(batch));
  return {served: await response.text(), batch, decrypted: stdout};
}

function withoutId(answer: string): string {
  expect(answer).toMatch(MESSAGE_ID);
  return answer.replace(MESSAGE_ID, '$1""');
}

/** The three answers are one; returns the code, or 0 for a success. */
async function demandSame(body: string | Uint8Array): Promise<number> {
  const {served, batch, decrypted} = await answersTo(body);
  expect(withoutId(batch)).toBe(`${withoutId(served)}\n`);
  expect(withoutId(JSON.stringify(JSON.parse(decrypted)))).toBe(withoutId(served));
  return JSON.parse(served).errCode ?? 0;
}

const SAMPLES = TERMINAL_TYPES.flatMap((type) =>
  readSamples(type).map(({id, request}) => [`${type} ${id}`, request] as const),
);
const [, REQUEST] = SAMPLES.find(([name]) => name.startsWith('generic')) ?? SAMPLES[0] ?? [];
const swipe = (more: object) => JSON.stringify({...REQUEST, ...more});
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the published and made-up reads are answered alike:', () => {
  it.each(SAMPLES)('%s', async (_, request) => {
    await demandSame(JSON.stringify({...request, reference: 'r-1'}));
  });
});

const REQUESTS: readonly (readonly [string, number, string | Uint8Array])[] = [
  ['a read', 0, swipe({})],
  ['white space around', 0, ` \t${swipe({reference: 'r'})} \r`],
  ['an empty reference', 0, swipe({reference: ''})],
  ['a reference of 50 characters beyond the basic plane', 0, swipe({reference: '🂡'.repeat(50)})],
  ['controls in the reference', 0, swipe({reference: 'a\u007f\u0080\u009f\u2028b'})],
  ['unknown members', 0, swipe({colour: 'red', deep: {list: [1, null, true]}})],
  ['a card number in an unknown member', 0, swipe({note: '4111111111111111'})],
  ['members that are empty', 0, swipe({iv: '', deviceSerial: '', clientId: ''})],
  ['a reference that is too long', 2003, swipe({reference: 'r'.repeat(51)})],
  ['a reference of half a pair', 2005, swipe({}).replace('{', '{"reference":"\\ud800",')],
  ...[1, null, true, [], {}].flatMap((value) =>
    ['deviceType', 'devicePayload', 'ksn', 'iv', 'deviceSerial', 'clientId', 'reference'].map(
      (member) =>
        [`${JSON.stringify(value)} as ${member}`, 2005, swipe({[member]: value})] as const,
    ),
  ),
  ['no members', 2000, '{}'],
  ['only a reference', 2000, '{"reference":"r-2"}'],
  ['no deviceType', 2000, JSON.stringify({devicePayload: 'AA', reference: 'r-3'})],
  ['an unknown deviceType', 2001, swipe({deviceType: 'no-such-terminal'})],
  ['no devicePayload', 2002, '{"deviceType":"idtech"}'],
  ['an array', 2004, '[]'],
  ['a list of requests', 2004, `[${swipe({})}]`],
  ['null', 2004, 'null'],
  ['a text', 2004, '"idtech"'],
  ['a request that breaks off', 2004, swipe({}).slice(0, -1)],
  ['an object that breaks off', 2004, '{"reference":"r"'],
  ['a trailing comma', 2004, '{"deviceType":"idtech",}'],
  ['single quotes', 2004, "{'deviceType':'idtech'}"],
  ['a name without quotes', 2004, '{deviceType:"idtech"}'],
  ['something behind it', 2004, `${swipe({})}x`],
  ['a control character', 2004, swipe({}).replace('{', '{"reference":"\u0007",')],
  ['a zero byte', 2004, `{"reference":"\0"}`],
  ['a member given twice', 2004, swipe({}).replace('{', '{"ksn":"1","ksn":"2",')],
  ['an escaped member given twice', 2004, '{"deviceType":"idtech","device\\u0054ype":"prima"}'],
  ['__proto__', 2004, swipe({}).replace('{', '{"__proto__":{},')],
  ['nesting of 8 levels', 0, swipe({}).replace('{', `{"deep":${nested(7)},`)],
  ['nesting of 9 levels', 2004, swipe({}).replace('{', `{"deep":${nested(8)},`)],
  ['nesting of 5000 levels', 2004, `{"deep":${nested(5000)}}`],
  ['a byte order mark in front', 2004, `\uFEFF${swipe({})}`],
  ['two byte order marks in front', 2004, `\uFEFF\uFEFF${swipe({})}`],
  ['a byte order mark and a fault', 2004, `\uFEFF${swipe({})}x`],
  ['a blank and a byte order mark in front', 2004, ` \uFEFF${swipe({})}`],
  ['a byte order mark behind', 2004, `${swipe({})}\uFEFF`],
  ['a byte order mark in a name', 2000, '{"\uFEFFdeviceType":"idtech"}'],
  ['bytes that are not UTF-8', 2004, Buffer.from(swipe({reference: '\xe9'}), 'latin1')],
  [
    'an overlong NUL',
    2004,
    Buffer.concat([Buffer.from('{"reference":"'), Buffer.from('c080227d', 'hex')]),
  ],
  ['65,536 bytes', 0, swipe({}).padEnd(65_536)],
  ['65,537 bytes', 2006, swipe({}).padEnd(65_537)],
  ['65,536 bytes of two-byte characters', 0, padded('é', 65_536)],
  ['65,537 bytes of two-byte characters', 2006, padded('é', 65_537)],
  ['300,000 bytes of an unknown member', 2006, swipe({note: 'x'.repeat(300_000)})],
  ['a KSN of another device', 2400, swipe({ksn: 'FFFF98765432FFE00001'})],
  ['a KSN of letters', 2400, swipe({ksn: 'no ksn'})],
  ['a KSN that looks like a key', 2400, swipe({ksn: '0123456789ABCDEFFEDCBA9876543210'})],
  ['a card number as KSN', 2400, swipe({ksn: '4111111111111111111'})],
  ['an IV of 7 bytes', 2602, swipe({iv: '00112233445566'})],
  ['an IV of 16 bytes', 2602, swipe({iv: '00112233445566778899AABBCCDDEEFF'})],
  ['an IV of letters', 2602, swipe({iv: 'no iv at all'})],
  ['a serial', 0, swipe({deviceSerial: '0042'})],
  ...TERMINAL_TYPES.map(
    (deviceType) =>
      [
        `rubbish for ${deviceType}`,
        undefined,
        JSON.stringify({deviceType, devicePayload: '?!'}),
      ] as const,
  ),
  ...TERMINAL_TYPES.map(
    (deviceType) => [`the read as ${deviceType}`, undefined, swipe({deviceType})] as const,
  ),
].map(([name, code, body]) => [name as string, code as number, body as string]);

function padded(character: string, bytes: number): string {
  const empty = Buffer.byteLength(swipe({note: ''}));
  const room = bytes - empty;
  const note = character.repeat(Math.floor(room / Buffer.byteLength(character)));
  return swipe({note}).padEnd(swipe({note}).length + (room % Buffer.byteLength(character)));
}

describe('requests and mistakes are answered alike:', () => {
  it.each(REQUESTS)('%s', async (_, code, body) => {
    const found = await demandSame(body);
    if (code !== undefined) expect(found).toBe(code);
  });
});

describe('requests at random are answered alike', () => {
  const text = fc.oneof(
    fc.string({unit: 'binary', maxLength: 60}),
    fc.constantFrom('', 'FFFF9876543210E00001', '00'.repeat(8), '4111111111111111', 'idtech'),
  );
  const value = fc.oneof(text, text, fc.jsonValue({maxDepth: 3}));
  const members = fc.record(
    {
      ...{reference: value, ksn: value, iv: value, deviceSerial: value, clientId: value},
      ...{partnerId: fc.string(), other: fc.jsonValue({maxDepth: 9})},
      deviceType: fc.oneof(fc.constantFrom(...TERMINAL_TYPES), value),
      devicePayload: fc.oneof(
        fc.constantFrom(...SAMPLES.map(([, {devicePayload}]) => devicePayload)),
        value,
      ),
    },
    {requiredKeys: []},
  );

  it('as whole objects, and cut or changed at any place', async () => {
    let tried = 0;
    const codes = new Set<number>();
    const spoil = fc.tuple(
      fc.constantFrom('none', 'none', 'cut', 'change'),
      fc.nat(),
      fc.nat(0x7f),
    );
    await fc.assert(
      fc.asyncProperty(members, spoil, async (object, [how, at, code]) => {
        const {partnerId: _, ...rest} = object;
        const json = JSON.stringify({deviceType: 'generic', ...rest});
        const i = 1 + (at % (json.length - 1));
        const changed = json.slice(0, i) + String.fromCharCode(code) + json.slice(i + 1);
        const body = how === 'cut' ? json.slice(0, i) : how === 'change' ? changed : json;
        if (body.includes('\n')) return;
        tried++;
        codes.add(await demandSame(body));
      }),
      {seed: 20261122, numRuns: 300},
    );
    expect(tried).toBeGreaterThan(290);
    expect([...codes]).toEqual(expect.arrayContaining([2001, 2002, 2004, 2005, 2100]));
  });
});
