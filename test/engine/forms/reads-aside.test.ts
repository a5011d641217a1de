import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, type TerminalType} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {writeTlv} from '../../../src/engine/tlv/ber.js';
import {tenthOf} from '../../long.js';
import {
  FURTHER_PAYLOADS,
  type Payload,
  SAMPLE_PAYLOADS,
  simulatedPayloads,
  testCard,
} from '../../payloads.js';
import {answer} from '../samples.js';

/** Payloads of one card, and reads of another that a payload of the first may hold. */
const HOSTS = [...SAMPLE_PAYLOADS, ...FURTHER_PAYLOADS, ...simulatedPayloads()];
const SECONDS = simulatedPayloads(undefined, 'FFFF9876543210E00077', testCard('mastercard')).filter(
  ({request: {deviceType, devicePayload}}) =>
    readPayload(KNOWN_TERMINALS.get(deviceType), devicePayload).recognisedBy !== 'length',
);

const payloadOf = ({request}: Payload) => request.devicePayload;
const isJson = (payload: Payload) => payloadOf(payload).trimStart().startsWith('{"');
const isText = (payload: Payload) => /^\w[\w .-]*[=:]/.test(payloadOf(payload)) && !isJson(payload);
const isList = (payload: Payload) => /^(?!02)[\dA-F]+$/.test(payloadOf(payload));

/** One of each terminal and number of members: what a reader declares depends on nothing else. */
function oneOfEach(hosts: readonly Payload[]): Payload[] {
  const shapeOf = (host: Payload) =>
    `${host.request.deviceType} ${payloadOf(host).split(':').length}`;
  return [...new Map(hosts.map((host) => [shapeOf(host), host])).values()];
}

function membersOrText(payload: string): unknown {
  return payload.startsWith('{"') ? JSON.parse(payload) : payload;
}

/** The host that holds `second`, in every way. */
const IN_JSON: Readonly<Record<string, (host: object, second: string) => unknown>> = {
  'a text': (host, second) => ({...host, note: second}),
  'the first member': (host, second) => ({note: second, ...host}),
  'an object': (host, second) => ({...host, note: membersOrText(second)}),
  'an object in another': (host, second) => ({...host, note: {inner: membersOrText(second)}}),
  'an entry of a list': (host, second) => ({...host, note: [membersOrText(second)]}),
  base64: (host, second) => ({...host, note: Buffer.from(second, 'latin1').toString('base64')}),
};
const IN_TEXT: Readonly<Record<string, (host: string, second: string) => string>> = {
  'a line with a colon': (host, second) => `${host}\nnote: ${second}`,
  'a line with =': (host, second) => `${host}\nnote=${second}`,
  'the first line': (host, second) => `note: ${second}\n${host}`,
};

/** The reads that are answered with `put` second reads, which is none. */
function answered(host: Payload, put: (second: string) => string, seconds = SECONDS) {
  return tenthOf(seconds, ({name}) => host.name + name).filter((second) => {
    const devicePayload = put(payloadOf(second));
    const {response, message} = answer({...host.request, devicePayload}, host.keys);
    expect(message ?? '').not.toMatch(/\d{12}/);
    return response !== undefined;
  });
}

/** Its KSN and its second track of two. */
function swiped(frame: string) {
  const reading = readPayload(KNOWN_TERMINALS.get('idtech'), frame);
  const [, track] = reading.candidates[0] ?? [];
  if (track?.name !== 'track 2' || !track.ksn) return undefined;
  return {ksn: track.ksn, track: Buffer.from(track.ciphertext).toString('hex')};
}

describe('a second read in a member that the form does not declare is refused:', () => {
  const hosts = oneOfEach(HOSTS.filter(isJson));

  it.each(Object.entries(IN_JSON))('%s of JSON', (_, put) => {
    for (const host of hosts) {
      const members = JSON.parse(payloadOf(host));
      const made = (second: string) => JSON.stringify(put(members, second));
      expect(answered(host, made)).toEqual([]);
    }
    expect(new Set(hosts.map(({request}) => request.deviceType)).size).toBeGreaterThan(10);
  });

  it('JSON in a member that the form declares and its reader does not use', () => {
    const json = SECONDS.filter(isJson);
    for (const host of hosts) {
      const members = JSON.parse(payloadOf(host));
      for (const name of ['data', 'mac', 'value', 'serial', 'format', 'vendor', 'emvdata'])
        if (!(name in members)) {
          const made = (second: string) => JSON.stringify({[name]: second, ...members});
          expect([name, ...answered(host, made, json)]).toEqual([name]);
        }
    }
  });

  // Other characters end a member.
  const oneLine = SECONDS.filter((second) => /^[^\p{Cc};|&]+$/u.test(payloadOf(second)));

  it.each(Object.entries(IN_TEXT))('%s', (_, put) => {
    for (const host of oneOfEach(HOSTS.filter(isText)))
      expect(answered(host, (second) => put(payloadOf(host), second), oneLine)).toEqual([]);
  });

  it('an object of a list', () => {
    const bytesOf = (text: string) => Buffer.from(text, /^[\dA-F]+$/.test(text) ? 'hex' : 'latin1');
    for (const host of oneOfEach(HOSTS.filter(isList)))
      for (const tag of ['DF55', 'DF8166']) {
        const list = (second: string) =>
          Buffer.from(writeTlv(tag, bytesOf(second))).toString('hex');
        const made = (second: string) => payloadOf(host) + list(second).toUpperCase();
        expect(answered(host, made)).toEqual([]);
      }
  });

  const value = '5FE760EBFEFF77954C4DAD4DC3CCF106BBFC1B7C5072C0C1';
  const other = '85A8A7F9390FD19EABC40B5D624190287D729923D9EDAFE9F24773388A9A1BEF';
  const second = {ksn: 'FFFF9876543210E00077', data: other};
  const onGuard = payloadOf(SECONDS.find(({name}) => /rba, swiped.*onguard/.test(name)) as Payload);

  it.each([
    ['percent escapes', encodeURIComponent(JSON.stringify(second))],
    ['hex of its text', Buffer.from(JSON.stringify(second)).toString('hex')],
    ['hex in groups', Buffer.from(JSON.stringify(second)).toString('hex').replaceAll(/../g, '$& ')],
    ['hex with 0x', `0x${Buffer.from(JSON.stringify(second)).toString('hex')}`],
    ['base64 for links', Buffer.from(JSON.stringify(second)).toString('base64url')],
    ['JSON in JSON', JSON.stringify({inner: JSON.stringify(second)})],
    ['a closed scheme', onGuard],
  ])('in %s', (_, note) => {
    const devicePayload = JSON.stringify({ksn: 'FFFF9876543210E00001', data: value, note});
    expect(answer({deviceType: 'generic', devicePayload})).toMatchObject({errCode: 2100});
  });

  it('in more values than any request has', () => {
    const many = Array.from({length: 65}, (_, i) => [`m${i}`, `F${i}`.padEnd(40, 'E')]);
    const members = {ksn: second.ksn, data: value, ...Object.fromEntries(many)};
    const {errCode, message} = answer({
      deviceType: 'generic',
      devicePayload: JSON.stringify(members),
    });
    expect([errCode, message]).toEqual([2100, expect.stringContaining('more than 64 values')]);
  });

  it.each(['4012888888881881', 'PAN 4012 8888 8888 1881', 'FEDCBA98A6543B10'])(
    'does not say the name of a member that may be a card number or a key: %s',
    (name) => {
      const devicePayload = JSON.stringify({ksn: second.ksn, data: value, [name]: second});
      const {message} = answer({deviceType: 'generic', devicePayload});
      expect(message).toContain('a member: a read of');
      expect(message).not.toContain(name.slice(-8));
    },
  );

  it('an envelope beside the data of a gateway', () => {
    const gateway = SAMPLE_PAYLOADS.find((one) => payloadOf(one).includes('"index"')) as Payload;
    const envelope = SECONDS.find((one) => payloadOf(one).startsWith('{"EntryMode"')) as Payload;
    const members = {...JSON.parse(payloadOf(gateway)), note: JSON.parse(payloadOf(envelope))};
    const request = {...gateway.request, devicePayload: JSON.stringify(members)};
    expect(answer(request, gateway.keys)).toMatchObject({errCode: 2100});
  });
});

describe('what is no second read is answered as before:', () => {
  const ordinary = {
    transactionId: '0e1f4c5a-7b1d-4e0f-9d43-2a5b6c7d8e9f',
    hash: '9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08',
    signature:
      'MEUCIQDxu2T0mTn0m0t9c3W5Yt1mHq2Tn1oF0q0m4cZ5J3p1XwIgK1aQ7vX2b5n8c1d4e7f0a3b6c9d2e5f8',
    terminal: {model: 'P400', firmware: '7.9.2-release-2024-03-11', keys: ['A', 'B']},
    receipt: 'TOTAL 12.50 EUR\nAPPROVED',
  };

  it.each(oneOfEach(HOSTS.filter(isJson)).map((host) => [host.name, host] as const))(
    'members of software beside %s',
    (_, host) => {
      const alone = answer(host.request, host.keys);
      const devicePayload = JSON.stringify({...ordinary, ...JSON.parse(payloadOf(host))});
      expect(answer({...host.request, devicePayload}, host.keys)).toStrictEqual(alone);
    },
  );

  it.each(['generic', 'newland'] as readonly TerminalType[])('the same read twice: %s', (type) => {
    const host = HOSTS.find((one) => one.request.deviceType === type && isJson(one)) as Payload;
    const members = JSON.parse(payloadOf(host));
    for (const note of [members, JSON.stringify(members), {inner: members}])
      expect(
        answer({...host.request, devicePayload: JSON.stringify({...members, note})}, host.keys),
      ).toStrictEqual(answer(host.request, host.keys));
  });

  const host = {
    ksn: 'FFFF9876543210E00123',
    data: 'ABF99052CE4E44444AB9F0A57301BEF1EA80A9418ACF2721CE4083B47475A77C32AF48D066372441',
  };

  it('a read alone', () => {
    const devicePayload = JSON.stringify(host);
    expect(answer({deviceType: 'generic', devicePayload})).toHaveProperty('response');
  });

  const block = '85A8A7F9390FD19E';
  const digest = '85A8A7F9390FD19EABC40B5D624190287D729923D9EDAFE9F24773388A9A1BEF';
  const emvData = '9F2608E1F2A3B4C5D6E7F89F2701809F100706010A03A0A8029F360200019F3303E0B8C8';

  it.each([
    ['a hash', {alg: 'sha256', data: digest}],
    ['a hash in a query string', `id=123&data=${digest}`],
    ['a PIN block and its KSN', {ksn: 'FFFF9876543210E00052', data: block}],
    ['a MagnePrint', {data: digest.padEnd(112, '0'), status: '61403000'}],
    ['EMV data in clear', {tlv: emvData.padEnd(80, '0')}],
    ['JSON nested deeply in a text', `${'['.repeat(3000)}"${digest}"${']'.repeat(3000)}`],
  ])('%s', (_, note) => {
    const request = {deviceType: 'generic', devicePayload: JSON.stringify(host)} as const;
    const devicePayload = JSON.stringify({...host, note});
    expect(answer({...request, devicePayload})).toStrictEqual(answer(request));
  });

  it('the frame of two tracks beside one of them', () => {
    const frame = SAMPLE_PAYLOADS.find(
      ({request}) => request.deviceType === 'idtech' && swiped(request.devicePayload) !== undefined,
    ) as Payload;
    const {track, ksn} = swiped(payloadOf(frame)) as {track: string; ksn: string};
    for (const raw of [payloadOf(frame), Buffer.from(payloadOf(frame)).toString('hex')]) {
      const devicePayload = JSON.stringify({ksn, track2: track, raw});
      expect(answer({deviceType: 'generic', devicePayload}, frame.keys)).toHaveProperty('response');
    }
  });

  it('a list of thirty items with ids', () => {
    const items = Array.from({length: 30}, (_, i) => ({sku: `A-${i}`, id: digest.slice(i)}));
    const request = {deviceType: 'generic', devicePayload: JSON.stringify(host)} as const;
    const devicePayload = JSON.stringify({...host, items});
    expect(answer({...request, devicePayload})).toStrictEqual(answer(request));
  });

  it('an index and the KSN of a PIN beside an envelope', () => {
    const envelopes = HOSTS.filter((one) => payloadOf(one).startsWith('{"EntryMode"'));
    for (const {request, keys} of envelopes) {
      const members = JSON.parse(request.devicePayload);
      const pin = {ksn: 'FFFF9876543210E00052', pinBlock: block};
      const devicePayload = JSON.stringify({...members, basket: [{index: 1}], pin});
      expect(answer({...request, devicePayload}, keys)).toStrictEqual(answer(request, keys));
    }
    expect(envelopes).not.toEqual([]);
  });

  it('JSON without card data in a line of a dictionary', () => {
    const printed = HOSTS.filter((one) => payloadOf(one).startsWith('Format ID: '));
    for (const {request, keys} of printed) {
      const devicePayload = `${request.devicePayload}\nOrder: {"id": 17}\nlog {x} 12:30`;
      expect(answer({...request, devicePayload}, keys)).toStrictEqual(answer(request, keys));
    }
    expect(printed).not.toEqual([]);
  });
});
