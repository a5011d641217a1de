import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {encrypt, tlv} from '../engine/terminal.js';
import {draws, TEST_SEED, tenthOf} from '../long.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

interface Sample {
  readonly id: string;
  readonly request: {readonly devicePayload?: string; readonly ksn?: string; readonly iv?: string};
  readonly expect: {readonly response?: unknown; readonly plaintext?: unknown};
}

const folder = new URL('../samples/', import.meta.url);
const samples: Sample[] = readdirSync(folder).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
);

const isHex = (text: string) => /^[0-9a-f]+$/i.test(text);
const bytesIn = (hex: string) => hex.length / 2;
const inHex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
const spaced = (hex: string, gap: string) => (hex.match(/../g) ?? []).join(gap);

/** What logs, captures and protocols put around a payload. */
const AROUND_TEXT: Readonly<Record<string, (payload: string) => string>> = {
  'a line of a log': (payload) => `2024-05-01 12:00:00,123 DEBUG [main] Reader - recv: ${payload}`,
  'a log that tells its length behind': (payload) => `12:00:01.234 RX <${payload}> (ok, 143 bytes)`,
  'a timestamp': (payload) => `[2024-05-01T12:00:00.000Z] ${payload}`,
  'seconds since 1970': (payload) => `1714564800123 ${payload}`,
  syslog: (payload) => `May  1 12:00:00 pos-7 terminal[4711]: data=${payload}, status=0`,
  'JSON of a log': (payload) => JSON.stringify({ts: '2024-05-01', msg: `recv ${payload}`}),
  'JSON in JSON': (payload) => JSON.stringify({log: {level: 30, body: {raw: payload}}}),
};
const AROUND_HEX: Readonly<Record<string, (hex: string) => string>> = {
  'a length of two bytes': (hex) => inHex(bytesIn(hex), 4) + hex,
  'a length of two bytes, low first': (hex) =>
    (inHex(bytesIn(hex), 4).match(/../g) ?? []).reverse().join('') + hex,
  'a length of four bytes': (hex) => inHex(bytesIn(hex), 8) + hex,
  'foreign bytes in front': (hex) => `A0B1C2D3E4${hex}`,
  'a status word behind': (hex) => `${hex}9000`,
  'foreign bytes behind': (hex) => `${hex}C13F77A2B5`,
  'a header and a checksum': (hex) => `0102${inHex(bytesIn(hex), 4)}${hex}5A17`,
  'a log of its bytes': (hex) => `RX: ${spaced(hex, ' ')}`,
  'a log of its bytes with colons': (hex) => `2024-05-01 12:00:00 RX ${spaced(hex, ':')} <`,
  'a log of its lines': (hex) => hex.replaceAll(/.{1,64}/g, (line) => `12:00:01.234 RX ${line}\n`),
};

/** Bare ciphertext of two tracks, or of elements, has no beginning by which it could be found. */
const WITHOUT_ANCHOR = new Set([
  'wisepad-fid60-t1t2-ascii',
  'ifsf-pan-expiry-track2',
  'ifsf-keyed',
  'ifsf-keyed-block-of-zeros',
  'ifsf-keyed-2004',
]);
/**
 * MagTek's reports have a fixed size, and its containers end with zeros and a MAC that no length
 * counts: what follows could be another read, and is refused.
 */
const BYTES_BEHIND = ['a status word behind', 'foreign bytes behind', 'a header and a checksum'];
const isOfMagtek = ({id}: Sample) => id.includes('magtek');

const usable = samples.filter(({request: {devicePayload = ''}, expect: {response, plaintext}}) => {
  const isText = devicePayload !== '' && !/[^\n\r\x20-\x7e]/.test(devicePayload);
  return isText && (response ?? plaintext) !== undefined;
});
const inText = Object.entries(AROUND_TEXT).map(([name, wrap]) => [name, wrap, usable] as const);
const hexOnly = usable.filter(
  ({id, request}) => isHex(request.devicePayload ?? '') && !WITHOUT_ANCHOR.has(id),
);
/** Of its parts under two keys, lines give the container alone within the usual settings. */
const isOfTwoKeys = ({id}: Sample) => id === 'synth-magtek-arqc-ff42';
const inBytes = Object.entries(AROUND_HEX).map(([name, wrap]) => {
  if (name === 'a log of its lines')
    return [name, wrap, hexOnly.filter((one) => !isOfTwoKeys(one))] as const;
  const found = BYTES_BEHIND.includes(name) ? hexOnly.filter((one) => !isOfMagtek(one)) : hexOnly;
  return [name, wrap, found] as const;
});

const bareReads = new Map<string, ReturnType<typeof diagnoseJson>>();

/** What is found where nothing is around the payload, diagnosed once. */
function bareRead({id, request: {devicePayload: payload, ksn, iv}}: Sample) {
  const found = bareReads.get(id) ?? diagnoseJson({payload, ksn, iv}, {usualOnly: true});
  bareReads.set(id, found);
  return found;
}

describe('a payload of any reader inside something else', () => {
  it.each([...inText, ...inBytes])('opens in %s', async (name, wrap, all) => {
    const tenth = tenthOf(all, ({id}) => `${name} ${id}`);
    // What is around text costs ten times as much: one payload in each hundred.
    const list = name in AROUND_TEXT ? tenthOf(tenth, ({id}) => `${id}, ${name}`) : tenth;
    const wrong: unknown[] = [];
    for (const sample of list) {
      const {id, request} = sample;
      const {devicePayload = '', ksn, iv} = request;
      const bare = await bareRead(sample);
      const payload = wrap(devicePayload);
      const found = await diagnoseJson({payload, ksn, iv}, {usualOnly: true});
      const hex = found.plaintexts.map((one) => one.hex).join(' ');
      const missing = bare.plaintexts.filter((one) => !hex.includes(one.hex.slice(0, 32)));
      const isSame = found.solved === bare.solved && !found.next === !bare.next;
      if (!isSame || missing.length > 0) wrong.push({id, missing: missing.length, payload});
    }
    expect(all.length).toBeGreaterThan(12);
    expect(wrong).toEqual([]);
  });
});

/** A list of tags that nobody's reader sends: KSN and ciphertext in it, other tags around them. */
function listOf(draw: Draw): {list: Buffer; behind: Buffer; text: string} {
  const ksn = draw.ksn();
  const text = draw.track2();
  const key = draw.of(['DFAE03', 'DFED03', 'C0', 'DFDF11', 'FFEE12', 'DF78']);
  const data = draw.of(['DFAE02', 'C2', 'DFDF10', 'DFEE23', 'DF8129']);
  const parts = [tlv(key, ksn), tlv(data, encrypt(text, {ksn}))];
  const front = draw.below(2) === 0 ? [] : [tlv('9F36', draw.hex(2)), tlv('95', draw.hex(5))];
  const behind = [tlv('9F10', draw.hex(18)), tlv('9F26', draw.hex(8)), tlv('82', draw.hex(2))];
  const order = draw.below(2) === 0 ? parts : parts.reverse();
  return {list: Buffer.concat([...front, ...order]), behind: Buffer.concat(behind), text};
}

describe('a TLV list that holds KSN and ciphertext', () => {
  const ways: Readonly<Record<string, (draw: Draw, list: Buffer, behind: Buffer) => Buffer>> = {
    'behind foreign bytes': (draw, list) =>
      Buffer.concat([draw.bytes(1 + draw.below(12)), list, draw.bytes(draw.below(6))]),
    'cut in its last tags': (draw, list, behind) =>
      Buffer.concat([list, behind.subarray(0, 1 + draw.below(behind.length - 1))]),
    'in a template that is cut': (draw, list, behind) => {
      const whole = tlv(draw.of(['E1', 'E2', 'FF7F', '70']), Buffer.concat([list, behind]));
      return whole.subarray(0, whole.length - 1 - draw.below(behind.length - 2));
    },
    'with damage behind': (draw, list, behind) =>
      Buffer.concat([list, Buffer.from('9F7F', 'hex'), draw.bytes(1), behind.subarray(5)]),
    'between two other lists': (draw, list, behind) =>
      Buffer.concat([behind, draw.bytes(3), list, draw.bytes(4), behind]),
  };

  it.each(Object.entries(ways))('opens %s', async (name, way) => {
    const draw = new Draw(`${TEST_SEED} ${name}`);
    const wrong: unknown[] = [];
    for (let i = 0; i < draws(40); i++) {
      const {list, behind, text} = listOf(draw);
      const payload = way(draw, list, behind).toString('hex');
      const found = await diagnoseJson({payload}, {usualOnly: true});
      const hex = found.plaintexts.map((one) => one.hex).join(' ');
      if (hex.includes(Buffer.from(text).toString('hex'))) continue;
      wrong.push({payload, list: list.toString('hex'), labels: labelsOf(found)});
    }
    expect(wrong).toEqual([]);
  });
});
