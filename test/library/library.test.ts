import {createCipheriv, createHmac, generateKeyPairSync} from 'node:crypto';
import {readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {
  AUTH_METHODS,
  DEVICE_TYPES,
  type DeriveOptions,
  decrypt,
  deriveKeys,
  diagnose,
  inspect,
  type Key,
  PaylensError,
  parseKsn,
  recognise,
  type SignOptions,
  signRequest,
  simulate,
  TEST_CARDS,
  unwrapKeyBlock,
  type VerifyOptions,
  verifyRequest,
  wrapKeyBlock,
} from '../../src/index.js';
import {startServer} from '../../src/server.js';
import {answer, readSamples, ringOf, type Sample} from '../engine/samples.js';
import {workingKey} from '../engine/terminal.js';

const NAMES = readdirSync(new URL('../samples/', import.meta.url)).map((file) => file.slice(0, -5));
const SAMPLES = NAMES.flatMap((name) => readSamples(name)).filter(
  ({request}) => request?.devicePayload,
);
/** RA1 sends On-Guard, which nobody can decrypt here. */
const WRITTEN = DEVICE_TYPES.filter((type) => type !== 'ingenico-ra1');
const BDK = '0123456789ABCDEFFEDCBA9876543210';

function keysOf({keys}: Sample): Key[] {
  return (keys ?? []).map(({kind, hex, ksnPrefix}) => {
    const prefix = ksnPrefix === undefined ? {} : {ksnPrefix};
    if (kind === 'working') return {working: hex, ...prefix};
    return kind === 'bdk' ? {bdk: hex, ...prefix} : {ik: hex, ...prefix};
  });
}

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof PaylensError ? {errCode: error.code} : error;
  }
}

describe('decrypt', () => {
  it.each(SAMPLES)('answers $id as the service does', (sample) => {
    const {deviceType, devicePayload, ksn, iv, deviceSerial} = sample.request;
    const options = {keys: keysOf(sample), deviceType, ksn, iv, deviceSerial};
    const found = outcome(() => decrypt(devicePayload, options));
    const expected = outcome(() => answer(sample.request, ringOf(sample.keys)));
    const {errCode, response} = expected as {errCode?: number; response?: unknown};
    expect(found).toEqual(errCode === undefined ? (response ?? expected) : {errCode});
  });

  it('takes the bytes of a payload and of keys, and leaves them as they were', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true});
    const payload = new TextEncoder().encode(devicePayload);
    const bdk = new Uint8Array(Buffer.from(BDK, 'hex'));
    const {extracted} = decrypt(payload, {keys: {bdk}});
    expect(extracted.PAN).toBe('4111111111111111');
    expect(Buffer.from(bdk).toString('hex').toUpperCase()).toBe(BDK);
    expect(new TextDecoder().decode(payload)).toBe(devicePayload);
  });

  it('says how it decrypted when asked, and shows no card number there', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true});
    const {explanation} = decrypt(devicePayload, {testKeys: true, explain: true});
    expect(explanation.recognisedAs).toMatch(/^idtech, /);
    expect(explanation.fields.length).toBeGreaterThan(0);
    expect(JSON.stringify(explanation)).not.toMatch(/4111111111111111|0123456789ABCDEFFEDC/);
    expect(decrypt(devicePayload, {testKeys: true})).not.toHaveProperty('explanation');
  });

  const DETACHED = new Uint8Array(8);
  structuredClone(DETACHED.buffer, {transfer: [DETACHED.buffer]});
  it.each<[string, unknown, unknown, number]>([
    ['no payload', undefined, {}, 2005],
    ['a number', 4, {}, 2005],
    ['an empty payload', '', {testKeys: true, deviceType: 'idtech'}, 2002],
    ['a lone surrogate', 'ab\ud800', {}, 2005],
    ['a huge payload', '0'.repeat(100_000), {testKeys: true, deviceType: 'idtech'}, 2006],
    ['an array of numbers', [1, 2], {}, 2005],
    ['a proxy of bytes', new Proxy(new Uint8Array(4), {}), {}, 2005],
    ['a detached buffer', DETACHED, {testKeys: true, deviceType: 'idtech'}, 2005],
    ['options that are none', '00', 'idtech', 2005],
    ['an unknown option', '00', {device: 'idtech'}, 2005],
    ['an unknown terminal', '00', {deviceType: 'acme'}, 2001],
    [
      'a PIN format that does not exist',
      '00',
      {deviceType: 'idtech', pin: true, pinFormat: 2},
      2005,
    ],
    ['a PIN format that is text', '00', {deviceType: 'idtech', pin: true, pinFormat: '4'}, 2005],
    ['a PIN format without pin', '00', {deviceType: 'idtech', pinFormat: 4}, 2005],
    ['a terminal that is a number', '00', {deviceType: 4}, 2005],
    ['a KSN that is a number', '00', {deviceType: 'idtech', ksn: 5}, 2005],
    ['a key that is text', '00', {deviceType: 'idtech', keys: BDK}, 2005],
    ['a key that is null', '00', {deviceType: 'idtech', keys: [null]}, 2005],
    ['a hole in the keys', '00', {deviceType: 'idtech', keys: new Array(2)}, 2005],
    ['a key of both kinds', '00', {deviceType: 'idtech', keys: {bdk: BDK, ik: BDK}}, 2005],
    [
      'a key with a typo in a name',
      '00',
      {deviceType: 'idtech', keys: {bdk: BDK, ksnprefix: 'F'}},
      2005,
    ],
    ['a key of two kinds', '00', {deviceType: 'idtech', keys: {working: BDK, ik: BDK}}, 2005],
    ['a key without a kind', '00', {deviceType: 'idtech', keys: {name: 'a'}}, 2005],
    ['a key that is not hex', '00', {deviceType: 'idtech', keys: {bdk: 'zz'}}, 9015],
    ['a huge key', '00', {deviceType: 'idtech', keys: {bdk: 'A'.repeat(1e6)}}, 9015],
    ['a short key', '00', {deviceType: 'idtech', keys: {bdk: BDK.slice(2)}}, 9015],
    [
      'a key with equal halves',
      '00',
      {deviceType: 'idtech', keys: {bdk: '0123456789ABCDEF'.repeat(2)}},
      9015,
    ],
    [
      'a key with a bad prefix',
      '00',
      {deviceType: 'idtech', keys: {bdk: BDK, ksnPrefix: 'XY'}},
      9015,
    ],
  ])('refuses %s', (_, payload, options, code) => {
    expect(outcome(() => decrypt(payload as string, options as object))).toEqual({errCode: code});
  });

  it('counts what is undefined as absent', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true});
    const options = {
      deviceType: undefined,
      ksn: undefined,
      iv: undefined,
      keys: undefined,
      explain: undefined,
    };
    expect(decrypt(devicePayload, {...options, testKeys: true}).meta.device).toBe('IDTECH');
  });

  it('reads a shared buffer and a subclass once, whatever they claim of themselves', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true});
    const shared = new Uint8Array(new SharedArrayBuffer(devicePayload.length));
    shared.set(new TextEncoder().encode(devicePayload));
    expect(decrypt(shared, {testKeys: true}).extracted.PAN).toBe('4111111111111111');
    class Liar extends Uint8Array {
      override get length(): number {
        return 2;
      }
    }
    const liar = new Liar(new TextEncoder().encode(devicePayload).buffer);
    expect(decrypt(liar, {testKeys: true}).extracted.PAN).toBe('4111111111111111');
  });
});

describe('a working key', () => {
  const KEY = 'EA528A43B02652FDEB538B42B12753FC';
  const TRACK = ';4111111111111111=30122010000000000001?>';

  /** A generic payload without a KSN, encrypted by OpenSSL in ECB. */
  function payloadUnder(hex: string): string {
    const key = Buffer.from(hex, 'hex');
    const cipher = createCipheriv('des-ede3', Buffer.concat([key, key]).subarray(0, 24), null);
    const plain = TRACK.padEnd(40, '\0');
    const track2 = cipher.setAutoPadding(false).update(plain, 'latin1', 'hex');
    return JSON.stringify({track2});
  }

  it('decrypts data without a KSN, and the explanation says so', () => {
    const keys = {working: KEY, name: 'session'};
    const options = {keys, deviceType: 'generic', explain: true} as const;
    const {extracted, explanation} = decrypt(payloadUnder(KEY), options);
    const [field] = explanation.fields;
    expect([extracted.PAN, field?.scheme, field?.usage, field?.mode, field?.ksn]).toEqual([
      ...['4111111111111111', 'working', 'TDES with two keys', 'ecb', undefined],
    ]);
    expect(field?.key.name).toBe('session');
  });

  it('may come out of a key block', () => {
    const kbpk = '88E1AB2A2E3DD38C1FA039A536500CC8A87AB9D62DC92C01058FA79F44657DE6';
    const use = {usage: 'D0', algorithm: 'T', mode: 'B', keyVersion: '00', exportability: 'E'};
    const header = {...use, version: 'D', optional: []} as const;
    const {key} = unwrapKeyBlock(wrapKeyBlock({header, key: KEY}, {kbpk}), {kbpk});
    const {extracted} = decrypt(payloadUnder(KEY), {deviceType: 'generic', keys: {working: key}});
    expect(extracted.PAN).toBe('4111111111111111');
  });

  it.each([
    ['of two equal halves', KEY.slice(0, 16).repeat(2), {}, 9015],
    ['of three keys, two of them equal', KEY + KEY.slice(16), {algorithm: 'tdes'}, 9015],
    ['of 12 bytes', KEY.slice(8), {}, 9015],
    ['with the compatibility of a base key', KEY, {compatibility: true}, 9015],
  ])('%s is refused', (_, working, more, code) => {
    const options = {deviceType: 'generic', keys: {working, ...more}} as object;
    expect(outcome(() => decrypt(payloadUnder(KEY), options))).toEqual({errCode: code});
  });

  it('derives nothing', () => {
    const options = {keys: {working: KEY}} as object as DeriveOptions;
    expect(outcome(() => deriveKeys('FFFF9876543210E00008', options))).toEqual({errCode: 2005});
  });
});

describe('inspect and recognise', () => {
  it.each(DEVICE_TYPES)('name the bytes of %s', async (deviceType) => {
    const {devicePayload} = await simulate({deviceType, testKeys: true});
    const found = inspect(devicePayload, {deviceType});
    expect(found.recognisedAs).toBe(deviceType);
    expect(found.parts.length).toBeGreaterThan(0);
    let at = 0;
    for (const {offset, length} of found.parts.filter(({depth}) => depth === 0)) {
      expect(offset).toBeGreaterThanOrEqual(at);
      at = offset + length;
    }
    expect(JSON.stringify(found)).not.toContain('4111111111111111');
  });

  it('give what could be read of a damaged payload, and the error', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true, damage: 'lrc'});
    const found = inspect(devicePayload, {deviceType: 'idtech'});
    expect(found.error).toMatchObject({code: 2101});
    expect(found.parts.length).toBeGreaterThan(3);
  });

  it('know no terminal of other text', () => {
    expect(recognise('hello')).toEqual([]);
    expect(outcome(() => inspect('hello'))).toEqual({errCode: 2100});
    expect(outcome(() => recognise(undefined as never))).toEqual({errCode: 2005});
  });
});

describe('deriveKeys and parseKsn', () => {
  const KSN = 'FFFF9876543210E00008';

  it('give the keys of an independent implementation', () => {
    const {keys, counter, initialKsn} = deriveKeys(KSN, {keys: {bdk: BDK}});
    expect([counter, initialKsn]).toEqual([8, 'FFFF9876543210E00000']);
    const hexes = keys.map(({key}) => Buffer.from(key).toString('hex'));
    expect(hexes).toContain(workingKey({ksn: KSN, variant: 'pin'}).toString('hex'));
    expect(hexes).toContain(workingKey({ksn: KSN}).toString('hex'));
    // ANSI X9.24-1:2009, annex A.
    expect(hexes[0]).toBe('6ac292faa1315b4d858ab3a3d7d5933a');
  });

  it('give the initial key alone for counter 0', () => {
    expect(deriveKeys('FFFF9876543210E00000', {testKeys: true}).keys).toHaveLength(1);
  });

  it('share no memory among keys and calls', () => {
    const [a, b] = [1, 2].map(() => deriveKeys(KSN, {testKeys: true}).keys);
    for (const {key} of a ?? []) {
      expect(key.buffer.byteLength).toBe(key.length);
      key.fill(0);
    }
    expect(b?.every(({key}) => key.some((byte) => byte !== 0))).toBe(true);
    expect(deriveKeys(KSN, {testKeys: true}).keys).toEqual(b);
  });

  it('parse KSNs of both schemes', () => {
    expect(parseKsn('ffff 9876543210e00008')).toEqual({
      ksn: KSN,
      scheme: 'tdes',
      keySet: 'FFFF987654',
      initialKsn: 'FFFF9876543210E00000',
      counter: 8,
    });
    expect(parseKsn('123456789012345600000001')).toMatchObject({scheme: 'aes', counter: 1});
    expect(outcome(() => parseKsn('12'))).toEqual({errCode: 2400});
    expect(outcome(() => parseKsn(12 as never))).toEqual({errCode: 2005});
    expect(outcome(() => deriveKeys(KSN, {}))).toEqual({errCode: 2600});
  });
});

describe('key blocks', () => {
  const header = {
    version: 'D',
    usage: 'B0',
    algorithm: 'T',
    mode: 'X',
    keyVersion: '00',
    exportability: 'E',
    optional: [],
  } as const;
  const kbpk = '00112233445566778899AABBCCDDEEFF';

  it('are opened again, with every attribute', () => {
    const block = wrapKeyBlock({header, key: BDK}, {kbpk});
    const {key, header: found} = unwrapKeyBlock(block, {kbpk});
    expect(found).toEqual(header);
    expect(Buffer.from(key).toString('hex').toUpperCase()).toBe(BDK);
  });

  it.each<[string, object, number, object?]>([
    ['an id of three characters', {optional: [{id: 'KSN', data: '00'}]}, 9015],
    ['data beyond ASCII', {optional: [{id: 'KS', data: 'é'}]}, 9015],
    ['99 optional blocks and a fill', {optional: Array(99).fill({id: 'KS', data: '0'})}, 9015],
    ['attributes that share their characters', {usage: 'B', algorithm: '1T'}, 9015],
    ['a field that is shorter than the key', {}, 2005, {keyField: 8}],
    ['a KBPK of equal halves', {version: 'B'}, 9015, {kbpk: '0123456789ABCDEF'.repeat(2)}],
  ])('are not made with %s', (_, change, code, options = {}) => {
    const made = () =>
      wrapKeyBlock({header: {...header, ...change} as never, key: BDK}, {kbpk, ...options});
    expect(made).toThrow(expect.objectContaining({code}));
  });

  it('are refused under another key, and for wrong arguments', () => {
    const block = wrapKeyBlock({header, key: BDK}, {kbpk});
    expect(outcome(() => unwrapKeyBlock(block, {kbpk: BDK}))).toEqual({errCode: 9015});
    expect(outcome(() => unwrapKeyBlock('x'.repeat(1e6), {kbpk}))).toEqual({errCode: 9015});
    expect(outcome(() => unwrapKeyBlock(4 as never, {kbpk}))).toEqual({errCode: 2005});
    expect(outcome(() => wrapKeyBlock({} as never, {kbpk}))).toEqual({errCode: 2005});
    const other = {header: {...header, version: 'E'}, key: BDK};
    expect(outcome(() => wrapKeyBlock(other as never, {kbpk}))).toEqual({errCode: 2005});
  });
});

describe('simulate', () => {
  const cases = WRITTEN.flatMap((deviceType) =>
    TEST_CARDS.slice(0, 3).map(({id, pan}) => ({deviceType, id, pan})),
  );
  it.each(cases)(
    'makes a payload of $deviceType with $id that decrypts',
    async ({deviceType, id, pan}) => {
      const {devicePayload, ...rest} = await simulate({deviceType, card: id, keys: {bdk: BDK}});
      expect(decrypt(devicePayload, {...rest, keys: {bdk: BDK}}).extracted.PAN).toBe(pan);
    },
  );

  it('takes a card of its own, and a counter', async () => {
    const card = {pan: '5555555555554444', expiry: '3012', name: 'DOE/JANE'};
    const made = await simulate({deviceType: 'idtech', card, counter: 5, testKeys: true});
    const {extracted} = decrypt(made.devicePayload, {testKeys: true});
    expect(extracted).toMatchObject({PAN: card.pan, EXPY: '1230', Surname: 'DOE'});
  });

  it.each<[string, object, number]>([
    ['no terminal', {testKeys: true}, 2000],
    ['an unknown card', {deviceType: 'idtech', card: 'acme', testKeys: true}, 2005],
    ['an unknown mode', {deviceType: 'idtech', mode: 'beamed', testKeys: true}, 2005],
    [
      'an option that is a number',
      {deviceType: 'idtech', options: {form: 4}, testKeys: true},
      2005,
    ],
    ['no key', {deviceType: 'idtech'}, 2600],
  ])('rejects with %s', async (_, options, errCode) => {
    await expect(simulate(options as never)).rejects.toMatchObject({code: errCode});
  });
});

describe('diagnose', () => {
  it('decrypts, and says how', async () => {
    const ksn = 'FFFF9876543210E00008';
    const {devicePayload} = await simulate({deviceType: 'idtech', ksn, testKeys: true});
    const found = await diagnose({payload: devicePayload, keys: [{kind: 'bdk', hex: BDK}]});
    expect(found.solved).toBe(true);
    expect(found.plaintexts.map(({text}) => text).join()).toContain('4111111111111111');
  });

  it('gives way to other tasks, and tells how far it is', async () => {
    const controller = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      turns++;
      if (turns > 5) controller.abort(new Error('five turns'));
    }, 1);
    const ciphertexts = [{hex: 'A73C5B19D0E24F68'.repeat(6)}];
    const stages: string[] = [];
    const search = diagnose(
      {ciphertexts, ksn: 'FFFF9876543210E00008'},
      {
        signal: controller.signal,
        budgetMs: 600_000,
        onProgress: (stage) => stages.push(stage),
      },
    );
    await expect(search).rejects.toThrow('five turns');
    clearInterval(timer);
    for (const stage of stages) expect(stage).not.toBe('');
  });

  it('ends when it is aborted', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    const search = diagnose(
      {ciphertexts: [{hex: 'A73C5B19D0E24F68'.repeat(6)}], ksn: 'FFFF9876543210E00008'},
      {signal: controller.signal, budgetMs: 60_000},
    );
    await expect(search).rejects.toThrow('enough');
  });

  it.each<[string, unknown, unknown]>([
    ['a case that is none', 4, {}],
    ['an unknown member', {payloads: '00'}, {}],
    ['a key without hex', {payload: '00', keys: [{kind: 'bdk'}]}, {}],
    ['a signal that is none', {payload: '00'}, {signal: {aborted: true}}],
    ['a budget of nothing', {payload: '00'}, {budgetMs: 0}],
  ])('rejects %s with 2005', async (_, given, options) => {
    await expect(diagnose(given as never, options as never)).rejects.toMatchObject({code: 2005});
  });
});

it.each<[string, () => unknown]>([
  ['decrypt', () => decrypt('00', {testkeys: true} as never)],
  ['simulate', () => simulate({deviceType: 'idtech', testkeys: true} as never)],
])('%s names the option that it does not know', async (_, call) => {
  const run = async () => call();
  await expect(run()).rejects.toMatchObject({
    code: 2005,
    detail: expect.stringContaining('found testkeys'),
  });
});

describe('functions of the caller that fail', () => {
  const fails = () => {
    throw null;
  };

  it.each<[string, () => Promise<unknown>]>([
    [
      'onProgress',
      () =>
        // As many that the search takes longer than the first report.
        diagnose(
          {
            ciphertexts: Array.from({length: 16}, (_, i) => ({
              hex: `A73C5B19D0E24F${i + 10}`.repeat(6),
            })),
            ksn: 'FFFF9876543210E00008',
          },
          {onProgress: fails},
        ),
    ],
    [
      'now',
      () => verifyRequest({method: 'POST', url: '/', headers: {}}, {partners: [], now: fails}),
    ],
  ])('%s: 2005 names it', async (name, call) => {
    await expect(call()).rejects.toMatchObject({
      code: 2005,
      detail: `${name}: it throws an error`,
      cause: null,
    });
  });

  it('a signal whose members were replaced is asked for its own', async () => {
    const signal = AbortSignal.abort('enough');
    Object.defineProperty(signal, 'aborted', {get: fails});
    await expect(diagnose({payload: '00'}, {signal})).rejects.toBe('enough');
  });
});

describe('signRequest and verifyRequest', () => {
  it.each<[string, object, object]>([
    ['no URL', {url: ''}, {}],
    ['a URL with a line break', {url: '/a"\r\nX: y'}, {}],
    ['a URL with a space', {url: '/a b'}, {}],
    ['a method of two words', {method: 'GET /'}, {}],
    ['a count without a challenge', {}, {count: -5}],
  ])('refuse %s', async (_, request, options) => {
    const signed = signRequest(
      {url: '/', ...request},
      {method: 'digest-preemptive', partnerId: 'a', partnerKey: 'k', ...options},
    );
    await expect(signed).rejects.toMatchObject({code: 2005});
  });

  const {privateKey, publicKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
  const partner = {
    partnerId: 'acme',
    partnerKey: 'pÄrtner key',
    sharedKey: '00112233445566778899aabbccddeeff',
    encoding: 'hex',
  } as const;
  const rsaPublicKey = publicKey.export({type: 'spki', format: 'pem'}).toString();
  const signer = {
    ...partner,
    privateKey: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
  };
  const server: VerifyOptions = {
    partners: [{...partner, rsaPublicKey}],
    digestSecret: new Uint8Array(32).fill(7),
  };
  const request = {
    method: 'POST',
    url: '/api/v1/process-payload',
    body: JSON.stringify({devicePayload: '02', name: 'Ä'}),
  };

  async function challengeOf(): Promise<readonly string[]> {
    const refused = await verifyRequest({...request, headers: {}}, server);
    return refused.accepted ? [] : refused.challenges;
  }

  it.each(AUTH_METHODS)('agree on %s', async (method) => {
    const options: SignOptions = {...signer, method, challenge: await challengeOf()};
    const {headers, body} = await signRequest(request, options);
    const sent = {...request, body, headers};
    const found = await verifyRequest(sent, server);
    expect(found).toEqual({accepted: true, partnerId: 'acme', method});
    const changed = await verifyRequest({...sent, url: '/api/v1/partner/validate'}, server);
    expect(changed.accepted).toBe(method === 'basic' || method === 'transparent');
  });

  it('make all headers that the server demands', async () => {
    const service = await startServer();
    const {partnerId, partnerKey} = service.partner;
    const url = `${service.url}/api/v1/partner/validate`;
    for (const method of ['basic', 'transparent'] as const) {
      const signed = await signRequest({url, body: '{}'}, {partnerId, partnerKey, method});
      const response = await fetch(url, {method: 'POST', ...signed});
      expect(await response.json()).toMatchObject({success: true});
    }
    await service.close();
  });

  it('make the HMAC of the interface', async () => {
    const {headers} = await signRequest(request, {
      ...signer,
      method: 'hmac',
      nonce: 'n-1',
      timestamp: 1_700_000_000,
    });
    const [, response] = /response="([0-9a-f]{64})"/.exec(headers.authorization ?? '') ?? [];
    const hash = (await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(request.body),
    )) as ArrayBuffer;
    const text = `POST /api/v1/process-payload\nn-1\n1700000000\n\n${Buffer.from(hash).toString('hex')}`;
    const key = Buffer.from(partner.sharedKey, 'hex');
    expect(response).toBe(createHmac('sha256', key).update(text).digest('hex'));
  });

  it('refuse a nonce that was used, an old request and an unknown partner', async () => {
    const used = new Set<string>();
    const claimNonce = (id: string, nonce: string) => {
      const isFresh = !used.has(`${id} ${nonce}`);
      used.add(`${id} ${nonce}`);
      return isFresh;
    };
    const {headers} = await signRequest(request, {...signer, method: 'hmac'});
    const sent = {...request, headers};
    const guarded = {...server, claimNonce};
    expect(await verifyRequest(sent, guarded)).toMatchObject({accepted: true});
    expect(await verifyRequest(sent, guarded)).toMatchObject({accepted: false, reason: 'replay'});
    const later = {...server, now: () => Date.now() + 16 * 60_000};
    expect(await verifyRequest(sent, later)).toMatchObject({accepted: false, reason: 'time'});
    const {headers: unknown} = await signRequest(request, {
      ...signer,
      partnerId: 'other',
      method: 'hmac',
    });
    expect(await verifyRequest({...request, headers: unknown}, server)).toMatchObject({
      accepted: false,
      reason: 'credentials',
    });
  });

  it.each<[string, object, object, number]>([
    ['no method', request, {...signer}, 2005],
    ['an unknown method', request, {...signer, method: 'oauth'}, 2005],
    ['no key', request, {partnerId: 'acme', method: 'hmac'}, 9015],
    ['no URL', {body: ''}, {...signer, method: 'hmac'}, 2005],
    ['a partner with a line break', request, {...signer, partnerId: 'a\nb', method: 'hmac'}, 2005],
    ['Digest without a challenge', request, {...signer, method: 'digest'}, 2005],
    [
      'transparent with a body that is no JSON',
      {...request, body: 'x'},
      {...signer, method: 'transparent'},
      2004,
    ],
  ])('reject %s', async (_, asked, options, code) => {
    await expect(signRequest(asked as never, options as never)).rejects.toMatchObject({code});
  });
});
