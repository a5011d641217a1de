import {createHash, createHmac} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {ERROR_CATALOGUE, ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {trackLrc} from '../../src/engine/card/lrc.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../src/engine/dukpt/ksn.js';

const read = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const contract = read('contract');
const common = read('terminals/common');

/** The cells of the rows of a page's tables. */
function rowsOf(page: string): string[][] {
  const lines = page.split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) => line.slice(2, -2).split(' | '));
}

describe('docs/contract.md', () => {
  const rows = rowsOf(contract).filter(([codes = '']) => /^\d+(?:, \d+)*$/.test(codes));
  const listed = new Map(
    rows.flatMap(([codes = '', http]) => codes.split(', ').map((code) => [code, http])),
  );

  it.each(ERROR_CODES.filter((code) => 'http' in ERROR_CATALOGUE[code]))(
    'lists error %i with its status',
    (code) => {
      const {http} = ERROR_CATALOGUE[code] as {http?: number};
      expect(listed.get(String(code))?.split(', ')).toContain(String(http));
    },
  );

  it.each(ERROR_CODES.filter((code) => !('http' in ERROR_CATALOGUE[code])))(
    'names error %i of the command line',
    (code) => {
      expect(contract).toMatch(new RegExp(`\\b${code} [a-z]`));
    },
  );

  it('lists no other error', () => {
    expect([...listed.keys()].filter((code) => !(code in ERROR_CATALOGUE))).toEqual([]);
  });

  const [, id = '', key = ''] = /`(\w+):(\w+)` gives `\w+=*`/.exec(contract) ?? [];

  it('gives a Basic token that is base64 of its pair', () => {
    expect(contract).toContain(Buffer.from(`${id}:${key}`).toString('base64'));
  });

  it('gives a pre-emptive Digest response that node:crypto makes, too', () => {
    const [, nonce, uri, response] =
      /nonce `(\w+)`, uri `(\S+)` gives `(\w+)`/.exec(contract) ?? [];
    const md5 = (text: string) => createHash('md5').update(text).digest('hex');
    expect(response).toBe(md5(`${md5(`${id}:Users:${key}`)}:${nonce}:${md5(`POST:${uri}`)}`));
  });

  it('gives an HMAC signature that node:crypto makes, too', () => {
    const [, secret = '', target, nonce, time, body = '', response] =
      /key `(\w+)`, POST `(\S+)`, nonce `(\w+)`, timestamp (\d+), body `(.*?)` gives `(\w+)`/.exec(
        contract,
      ) ?? [];
    const hash = createHash('sha256').update(body).digest('hex');
    const text = `POST ${target}\n${nonce}\n${time}\n\n${hash}`;
    expect(response).toBe(createHmac('sha256', secret).update(text).digest('hex'));
  });
});

describe('docs/terminals/common.md', () => {
  const known = rowsOf(common).filter(([ksn = '']) => /^[0-9A-F]{20}$/.test(ksn));
  const answers = known.flatMap(([ksn = '', text = '']) =>
    [...text.matchAll(/([\w ]+?) `([0-9A-F]{32})`/g)].map(([, what = '', value = '']) => ({
      ksn,
      what: what.trim(),
      value,
    })),
  );

  it('has known answers', () => {
    expect(answers.length).toBe(9);
  });

  it.each(answers)('$ksn: $what', ({ksn, what, value}) => {
    const keys = testKeyRing();
    const parsed = parseKsn(ksn);
    const transaction = keys.transaction(parsed);
    const made: Record<string, () => Uint8Array> = {
      IK: () => keys.initialKey(parsed),
      'transaction key': () => transaction.reveal(),
      'data key': () => transaction.workingKey('data', true),
      'PIN key': () => transaction.workingKey('pin', false),
    };
    const bytes = made[what]?.() ?? new Uint8Array();
    expect(Buffer.from(bytes).toString('hex').toUpperCase()).toBe(value);
  });

  it.each([
    [1, /`(%\S+\?)` gives `(.)`/],
    [2, /`(;\S+\?)` gives `(.)`/],
  ] as const)('gives the LRC of track %i', (number, form) => {
    const [, track = '', lrc] = form.exec(common) ?? [];
    expect(trackLrc(number, track)).toBe(lrc);
  });
});

describe('docs/interface.md', () => {
  it.each(DEVICE_TYPES)('%s is a value of deviceType', (type) => {
    const row = rowsOf(read('interface')).find(([cell]) => cell === '`deviceType`');
    expect(row?.join()).toContain(`\`${type}\``);
  });
});
