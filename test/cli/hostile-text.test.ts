import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import {printable} from '../../src/cli/output/terminal-text.js';
import {exchangeTable} from '../../src/cli/send/send-tables.js';
import {verifyLines} from '../../src/cli/verify/verify-report.js';
import {SCENARIOS} from '../../src/conformance/scenarios/index.js';
import {superLinear} from '../sweep/measure.js';
import {runCommand} from './run-command.js';

/** Every character that is not seen, or steers what is seen, besides line feeds. */
const UNSEEN = [
  ...[
    [0x00, 0x09],
    [0x0b, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
  ],
  ...[
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180e],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
  ],
  ...[
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
  ],
  [0xd800, 0xdfff],
] as const;
const PAN = '4761739001010010';
const HOSTILE = [
  ...['\u001b[31m\u001b]0;title\u0007', '\u009b2J', '\u0085', '\r\n', '\t', '\u007f'],
  ...['\u202e', '\u2066', '\u061c', '\u200b\u200d\ufeff', '\u00ad', '\u2028\u2029', '\u3164'],
].join('x');

const SWIPE = {
  meta: {device: `D${HOSTILE}${PAN}`, serial: `S${HOSTILE}`, mode: `m${HOSTILE}`},
  extracted: {PAN: `${PAN}${HOSTILE}`, EXPY: `${PAN}${HOSTILE}`, Surname: `N${HOSTILE}`},
  track2: {ascii: HOSTILE, masked: `${PAN}${HOSTILE}`, decrypted: HOSTILE},
  tlv: {decrypted: HOSTILE},
};

let answer: object = {};
let status = 200;
const server = createServer((_, response) => {
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer));
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  vi.stubEnv('PAYLENS_SHARED_KEY', 'x'.repeat(32));
  vi.stubEnv('PAYLENS_PARTNER_KEY', 'x'.repeat(32));
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const FAILURE = {
  success: false,
  errCode: 1003,
  errMessage: HOSTILE,
  reference: HOSTILE,
  messageId: HOSTILE,
};
const SUCCESS = {success: true, messageId: HOSTILE, reference: HOSTILE, ...SWIPE};

describe('what a hostile endpoint sends', () => {
  const partner = () => ['--base-url', url, '--partner', 'DEMO'];
  const payload = () => [...partner(), '--payload', 'x', '--device-type', 'generic'];

  it.each<[string, 'send:partner' | 'send:payload' | 'verify', () => string[], number, object]>([
    ['an error', 'send:partner', partner, 401, FAILURE],
    ['an error as JSON', 'send:partner', () => [...partner(), '--json'], 401, FAILURE],
    ['a success', 'send:partner', partner, 200, SUCCESS],
    ['a card', 'send:payload', payload, 200, SUCCESS],
    ['a card revealed', 'send:payload', () => [...payload(), '--reveal'], 200, SUCCESS],
    ['a card as JSON', 'send:payload', () => [...payload(), '--json'], 200, SUCCESS],
    ['no card', 'send:payload', payload, 200, {...SUCCESS, tlv: {decrypted: 7}}],
    ['many errors', 'send:partner', () => [...partner(), '--count', '3'], 401, FAILURE],
    [
      'answers to scenarios',
      'verify',
      () => [url, '--config', 'samples/verify-demo.json'],
      401,
      FAILURE,
    ],
    [
      'answers to scenarios as JSON',
      'verify',
      () => [url, '--config', 'samples/verify-demo.json', '--json'],
      401,
      FAILURE,
    ],
  ])('shows %s without a character that steers a terminal', async (_, id, argv, code, body) => {
    [status, answer] = [code, body];
    const {stdout, stderr} = await runCommand(id, argv());
    expect((stdout + stderr).length).toBeGreaterThan(20);
    // Between the cells of a row.
    const shown = stdout.replaceAll('\t', ' ');
    expect([unseenIn(shown), unseenIn(stderr)]).toEqual([[], []]);
  });

  it('gives programs the same values for all that', async () => {
    [status, answer] = [401, FAILURE];
    const {stdout} = await runCommand('send:partner', [...partner(), '--json']);
    expect(JSON.parse(stdout).response).toEqual(FAILURE);
  });

  it('shows no card number, wherever it stands', async () => {
    [status, answer] = [200, SUCCESS];
    const {stdout} = await runCommand('send:payload', payload());
    expect(stdout).not.toContain(PAN);
    expect(stdout).toContain('476173******0010');
  });

  it.each([
    [
      'extracted.PAN as a number',
      {...SWIPE, extracted: {...SWIPE.extracted, PAN: 4}},
      'a string as "extracted.PAN", found a number',
    ],
    [
      'a name as a list',
      {...SWIPE, extracted: {...SWIPE.extracted, Surname: []}},
      'a string as "extracted.Surname", found an array',
    ],
    ['no meta', {...SWIPE, meta: null}, 'an object as "meta", found null'],
    ['a track that is a text', {...SWIPE, track1: 'x'}, 'an object as "track1", found a string'],
    [
      'a track without its parts',
      {...SWIPE, track1: {}},
      'the response has no "track1.ascii" member',
    ],
    [
      'a number for TLV',
      {...SWIPE, tlv: {decrypted: 1}},
      'a string as "tlv.decrypted", found a number',
    ],
  ])('is no card with %s', async (_, card, fault) => {
    [status, answer] = [200, {success: true, ...card}];
    const {stderr, exitCode} = await runCommand('send:payload', payload());
    expect([exitCode, stderr]).toEqual([6, expect.stringMatching(`Error 9021.*${fault}\n`)]);
  });

  it.each([
    ['letters', 'x'],
    ['digits', '4'],
    ['digits and blanks', '4 '],
    ['hyphens', 'a-'],
    ['controls', '\u001b'],
    ['marks', 'a\u0301'],
    ['wide characters', '中'],
    ['halves of characters', '\ud800'],
    ['line feeds', '\n'],
    ['nothing but blanks', ' '],
  ])('of 64 KB is shown cut, in linear time: %s', async (title, piece) => {
    const ofSize = (size: number) => piece.repeat(Math.ceil(size / piece.length));
    const run = (errMessage: string) => {
      const texts = {errMessage, messageId: errMessage, reference: errMessage};
      const answer = {success: false, errCode: 1003, ...texts};
      const exchange = {status: 401, answer, milliseconds: 1, attempts: 1, skew: 0};
      return exchangeTable(exchange, 'validate-partner', false)(80);
    };
    const shown = run(ofSize(65_536));
    expect(shown.replace(/[│\s]+/g, ' ')).toContain('(truncated: 65,536 characters)');
    expect(shown.length).toBeLessThan(40_000);
    expect(await superLinear({name: title, run}, {title, ofSize})).toBeUndefined();
  });

  it('of 64 KB in a card and in a scenario is shown cut, too', () => {
    const long = 'x'.repeat(65_536);
    const card = {
      meta: {device: long, serial: long, mode: long},
      extracted: {PAN, EXPY: '1230', Surname: long},
      track1: {ascii: long, masked: long, decrypted: long},
    };
    const exchange = {
      status: 200,
      answer: {success: true, ...card},
      milliseconds: 1,
      attempts: 1,
      skew: 0,
    };
    expect(exchangeTable(exchange, 'process-payload', true)(80).length).toBeLessThan(20_000);
    const [scenario] = SCENARIOS;
    if (!scenario) throw new Error('no scenario');
    const failed = {
      scenario,
      outcome: 'fail',
      milliseconds: 1,
      step: 1,
      expected: 'x',
      received: long,
    } as const;
    expect(verifyLines(failed)(80).length).toBeLessThan(20_000);
  });

  it('shows no part of a card number that the cut goes through', () => {
    for (let before = 970; before <= 1000; before++) {
      const errMessage = `${'x'.repeat(before)} ${PAN} ${'y'.repeat(2000)}`;
      const exchange = {
        ...{status: 401, milliseconds: 1, attempts: 1, skew: 0},
        answer: {success: false, errCode: 1, errMessage},
      };
      const shown = exchangeTable(exchange, 'validate-partner', false)(80);
      expect(shown.replace(/[^\d]/g, '')).not.toContain('4761739');
    }
  });
});

it('text without anything unseen stays as it is', () => {
  const text = 'Zoë Müller ≥ 中文 ελληνικά العربية €5 e\u0301';
  expect(printable(text)).toBe(text);
});

function unseenIn(text: string): string[] {
  const codes = text.split('').map((unit) => unit.charCodeAt(0));
  const found = codes.filter((code) => UNSEEN.some(([from, to]) => code >= from && code <= to));
  return [...new Set(found)].map((code) => code.toString(16));
}
