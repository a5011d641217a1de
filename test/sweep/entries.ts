import {readdirSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseAuthorization} from '../../src/auth/authorization-header.js';
import {headerFault} from '../../src/auth/explain/header-fault.js';
import {targetVariants} from '../../src/auth/explain/request-variants.js';
import {
  type CapturedRequest,
  hostOfCaptured,
  targetOfCaptured,
} from '../../src/client/captured/captured-request.js';
import {parseBody, parseJsonObject, readJson} from '../../src/contract/parse-json.js';
import * as decryptEntry from '../../src/decrypt.js';
import {diagnose} from '../../src/diagnosis/diagnose.js';
import {ZERO_IV} from '../../src/diagnosis/plaintext/chain.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES, TERMINALS} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {Trace} from '../../src/engine/trace.js';
import * as index from '../../src/index.js';
import {parseCase} from '../../src/input/case.js';
import {collectClues} from '../../src/input/clues.js';
import {understandSteps} from '../../src/input/interpret.js';
import {NOTATIONS} from '../../src/input/notations/table.js';
import {parseKeyfile, parseKeys} from '../../src/keyfile/parse-keyfile.js';
import {FamilyTerminal} from '../../src/library/family-terminal.js';
import * as server from '../../src/server.js';
import {shownBody} from '../../src/service/inspector/shown-body.js';
import {shownText, starText} from '../../src/service/inspector/shown-head.js';
import {strictHeaderFault} from '../../src/service/operations/strict.js';
import {readSamples} from '../engine/samples.js';
import {encrypt} from '../engine/terminal.js';
import {outcome} from './measure.js';

/** Something that is given a stranger's text. */
export interface SweepEntry {
  readonly name: string;
  /** What is made of the text beforehand, uncounted. */
  readonly prepare?: (text: string) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each takes what its `prepare` makes
  readonly run: (given: any) => unknown;
}

type Call = (text: string) => unknown;
type Calls = Readonly<Record<string, Call>>;

const KEY = '0123456789ABCDEFFEDCBA9876543210';
const KSN = 'FFFF9876543210E00001';
const HEADER = {version: 'B', usage: 'B0', algorithm: 'T', mode: 'X', keyVersion: '00'} as const;
const SIGNED = {partnerId: 'p', partnerKey: 'k'.repeat(32), sharedKey: 'k'.repeat(32)};
const sign = (request: object, options: object) =>
  index.signRequest({url: '/a', ...request}, {method: 'hmac', ...SIGNED, ...options});
const verify = (request: object, partner = {}) =>
  index.verifyRequest(
    {method: 'POST', url: '/a', headers: {}, ...request},
    {partners: [{...SIGNED, ...partner}]},
  );
const start = async (options: object) => (await server.startServer(options)).close();
const startOne = async (options: object) => (await server.startTerminal(options as never)).close();

/** How each function of the package is called with a text; undefined: it is left out. */
const OF_INDEX: Readonly<Record<string, Calls | undefined>> = {
  PaylensError: {message: (text) => new index.PaylensError(2100, text)},
  errorObjectOf: {message: (text) => index.errorObjectOf(new index.PaylensError(2100, text))},
  isDeviceType: {type: (text) => index.isDeviceType(text)},
  // Their budget limits them.
  diagnose: undefined,
  explain: undefined,
  decrypt: {
    payload: (text) => index.decrypt(text, {testKeys: true}),
    keys: (text) => index.decrypt('00', {deviceType: 'idtech', keys: {bdk: text} as never}),
    ksn: (text) => index.decrypt('00', {deviceType: 'idtech', ksn: text, iv: text}),
    'its plaintext': (text) => index.decrypt(text, {deviceType: 'generic', testKeys: true}),
  },
  inspect: {payload: (text) => index.inspect(text)},
  recognise: {payload: (text) => index.recognise(text)},
  parseKsn: {ksn: (text) => index.parseKsn(text)},
  deriveKeys: {
    ksn: (text) => index.deriveKeys(text, {testKeys: true}),
    keys: (text) => index.deriveKeys(KSN, {keys: {bdk: text} as never}),
  },
  unwrapKeyBlock: {
    block: (text) => index.unwrapKeyBlock(text.slice(0, 9999), {kbpk: KEY}),
    'a block': (text) =>
      index.unwrapKeyBlock(`B9999B0TX00E0000${text}`.slice(0, 9999), {kbpk: KEY}),
    kbpk: (text) => index.unwrapKeyBlock('B0', {kbpk: text}),
  },
  wrapKeyBlock: {
    data: (text) =>
      index.wrapKeyBlock(
        {header: {...HEADER, exportability: 'E', optional: [{id: 'LB', data: text}]}, key: KEY},
        {kbpk: KEY},
      ),
    key: (text) =>
      index.wrapKeyBlock(
        {header: {...HEADER, exportability: 'E', optional: []}, key: text},
        {kbpk: text},
      ),
  },
  signRequest: {
    url: (text) => sign({url: text}, {}),
    body: (text) => sign({body: text}, {}),
    'credentials in the body': (text) => sign({body: text}, {method: 'transparent'}),
    nonce: (text) => sign({}, {nonce: text}),
    challenge: (text) => sign({}, {method: 'digest', challenge: text}),
    'members of a challenge': (text) => sign({}, {method: 'digest', challenge: `Digest ${text}`}),
    'shared key': (text) => sign({}, {sharedKey: text, encoding: 'base64'}),
    'private key': (text) => sign({}, {method: 'rsa', privateKey: text}),
  },
  simulate: {
    type: (text) => index.simulate({deviceType: text}),
    card: (text) => index.simulate({deviceType: 'idtech', card: {name: text}, testKeys: true}),
    track: (text) => index.simulate({deviceType: 'idtech', card: {pan: text, discretionary: text}}),
    ksn: (text) => index.simulate({deviceType: 'idtech', ksn: text}),
    options: (text) => index.simulate({deviceType: 'idtech', options: {[text]: text}}),
  },
  verifyRequest: {
    url: (text) => verify({url: text}),
    body: (text) => verify({body: text}),
    header: (text) => verify({headers: {authorization: text}}),
    properties: (text) => verify({headers: {authorization: `Hmac ${text}`}}),
    digest: (text) => verify({headers: {authorization: `Digest ${text}`}}),
    basic: (text) => verify({headers: {authorization: `Basic ${text}`}}),
    partner: (text) => verify({}, {partnerId: text, rsaPublicKey: text}),
  },
};
const OF_DECRYPT: typeof OF_INDEX = {
  PaylensError: OF_INDEX.PaylensError,
  // Each terminal's is below.
  decrypt: {
    payload: (text) => decryptEntry.decrypt(text, {terminals: [], testKeys: true} as never),
  },
};
const OF_SERVER: typeof OF_INDEX = {
  startServer: {
    mode: (text) => start({mode: text}),
    fail: (text) => start({fail: text}),
    partner: (text) => start({partners: [{partnerId: text, partnerKey: text}]}),
    keys: (text) => start({keys: [{bdk: text}]}),
  },
  startTerminal: {
    type: (text) => startOne({deviceType: text}),
    card: (text) => startOne({deviceType: 'idtech', card: text}),
    ksn: (text) => startOne({deviceType: 'idtech', ksn: text}),
    options: (text) => startOne({deviceType: 'idtech', options: {[text]: text}}),
  },
};

/** The folders whose functions are given text, bytes, or a chain of blocks, and nothing else. */
const ROOMS = [
  ...['input', 'contract/masks', 'client/captured', 'diagnosis/findings', 'diagnosis/plaintext'],
  'engine/inspection',
];

/** Every entry, those of new terminals, exports and notations included. */
export async function sweepEntries(): Promise<SweepEntry[]> {
  return [
    ...exportsOf('index', index, OF_INDEX),
    ...exportsOf('decrypt', decryptEntry, OF_DECRYPT),
    ...exportsOf('server', server, OF_SERVER),
    ...(await terminalEntries()),
    ...NOTATIONS.flatMap(notationEntries),
    ...(await Promise.all(ROOMS.map(roomEntries))).flat(),
    ...Object.entries(OTHERS).map(([name, run]) => ({name, run})),
    {
      name: 'a decrypted plaintext',
      prepare: (text) => {
        const plain = Buffer.from(text.slice(0, text.length / 3), 'latin1');
        return JSON.stringify({ksn: KSN, data: encrypt(plain, {ksn: KSN}).toString('hex')});
      },
      run: (payload) => index.decrypt(payload, {deviceType: 'generic', testKeys: true}),
    },
  ];
}

function exportsOf(entry: string, module: object, calls: typeof OF_INDEX): SweepEntry[] {
  return Object.entries(module).flatMap(([name, value]) => {
    if (typeof value !== 'function') return [];
    if (!Object.hasOwn(calls, name))
      throw new Error(
        `${entry}.${name}: say in test/sweep/entries.ts how it is called with a text`,
      );
    return Object.entries(calls[name] ?? {}).map(([what, run]) => ({
      name: `${entry}.${name}: ${what}`,
      run,
    }));
  });
}

async function terminalEntries(): Promise<SweepEntry[]> {
  const known = TERMINAL_TYPES.flatMap((deviceType): SweepEntry[] => [
    {
      name: `${deviceType}: decrypt`,
      run: (text) => index.decrypt(text, {deviceType, testKeys: true, explain: true}),
    },
    {name: `${deviceType}: inspect`, run: (text) => index.inspect(text, {deviceType})},
    {
      name: `${deviceType}: read`,
      run: (text) => readPayload(TERMINALS[deviceType], text, new Trace()),
    },
  ]);
  const folder = fileURLToPath(new URL('../../src/engine/families', import.meta.url));
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'});
  const modules = files.filter(
    (file) => path.basename(file) === 'terminal.ts' && file.includes('/'),
  );
  const small = modules.map(async (file): Promise<SweepEntry[]> => {
    const exported = await import(pathToFileURL(path.join(folder, file)).href);
    return Object.entries(exported).map(([name, terminal]) => {
      const terminals = [new FamilyTerminal(terminal as never)];
      const run = (text: string) => decryptEntry.decrypt(text, {terminals, testKeys: true});
      return {name: `terminals.${name}`, run};
    });
  });
  return [...known, ...(await Promise.all(small)).flat()];
}

function notationEntries({name, undo, decode, guess, looks = []}: (typeof NOTATIONS)[number]) {
  const calls: readonly [string, Call | undefined][] = [
    ['undo', undo],
    ['decode', decode && ((text) => decode(text, text))],
    ['guess', guess],
    ...looks.map(([pattern]): [string, Call] => [
      `looks ${pattern}`,
      (text) => [...text.matchAll(new RegExp(pattern, [...new Set(`g${pattern.flags}`)].join('')))],
    ]),
  ];
  return calls.flatMap(([what, run]) => (run ? [{name: `notation ${name}: ${what}`, run}] : []));
}

async function roomEntries(room: string): Promise<SweepEntry[]> {
  const folder = fileURLToPath(new URL(`../../src/${room}`, import.meta.url));
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'});
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map(async (file) => {
      const module = await import(pathToFileURL(path.join(folder, file)).href);
      const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
      const entries = functions.map(([name, value]) =>
        roomEntry(`${room}/${file}: ${name}`, name, value as Apply),
      );
      return (await Promise.all(entries)).flat();
    });
  return (await Promise.all(found)).flat();
}

type Apply = (...given: unknown[]) => unknown;

/**
 * Calls a function in the first way that fits it: with text, with bytes, with a chain. One that none
 * fits is a part of others here, which call it.
 */
async function roomEntry(name: string, own: string, apply: Apply): Promise<SweepEntry[]> {
  const special = FINDINGS[own];
  if (special) return [{name, run: (text: string) => special(apply, text)}];
  for (const prepare of [(text: string) => text, bytesIn, chainOf]) {
    const fits = async (text: string) =>
      !((await outcome(() => apply(prepare(text)))) instanceof TypeError);
    if ((await fits('41111111 11111111')) && (await fits('{"a":"0x00"}')))
      return [{name, prepare, run: (given) => apply(given)}];
  }
  return [];
}

function bytesIn(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Blocks that are the text once they are chained. */
function chainOf(text: string) {
  const blocks = bytesIn(text).subarray(0, text.length & ~15);
  return {ciphertext: new Uint8Array(blocks.length), blocks, blockSize: 8, ivs: [ZERO_IV]};
}

const [sample] = readSamples('idtech');
const given = parseCase(JSON.stringify({payload: sample?.request.devicePayload}));
const {found, clues} = diagnose(given, {
  now: () => performance.now(),
  budgetMs: 60_000,
  usualOnly: true,
});
const keys = {all: [], written: []};
const cluesOf = (text: string) => {
  const [reader] = KNOWN_TERMINALS.all;
  const error = new index.PaylensError(2100, text);
  return {...clues, texts: [text], refusals: [{reader, error, findings: [], text}]};
};

/** Those that take more than a text: most are findings about a case of which it is part. */
const FINDINGS: Readonly<Record<string, (apply: Apply, text: string) => unknown>> = {
  contradictions: (apply, text) => apply(found, cluesOf(text)),
  explainKeys: (apply, text) => apply(found, keys, cluesOf(text)),
  explainKsn: (apply, text) => apply(found, cluesOf(text)),
  otherReads: (apply, text) => apply(found, cluesOf(text)),
  refusalFindings: (apply, text) => apply(cluesOf(text)),
  findingsOf: (apply, text) => apply(found, {...given, payload: text}, cluesOf(text), keys),
  findingsWithout: (apply, text) => apply({...given, payload: text}, cluesOf(text), keys, [], true),
  nextStep: (apply) => apply(found, KNOWN_TERMINALS),
  whoseKey: (apply, text) => apply(text, true),
  firstMatches: (apply, text) => apply(text, /[\da-f]{16,}/gi, 1024),
};

const OTHERS: Calls = {
  'a text of a case': (text) => understandSteps(text, {name: 'x', terminals: KNOWN_TERMINALS}),
  'target of a captured request': (text) => targetOfCaptured({url: text} as CapturedRequest),
  'host of a captured request': (text) =>
    hostOfCaptured({url: text, headers: []} as unknown as CapturedRequest),
  'clues of a payload': (text) => collectClues({...given, payload: text}),
  'a case of diagnose': (text) => parseCase(`{"payload":${JSON.stringify(text)}}`),
  'JSON of a case': (text) => parseCase(text),
  'JSON of a body': (text) => parseBody(text),
  'JSON object': (text) => parseJsonObject(text),
  'JSON of a file': (text) => readJson(Buffer.from(text)),
  'content of a keyfile': (text) => parseKeyfile(Buffer.from(text)),
  'keys of a keyfile': (text) => parseKeys([{name: text, bdk: text}]),
  'fault of a header': headerFault,
  'strict fault of a header': (text) => strictHeaderFault(`Hmac ${text}`),
  'an Authorization header': parseAuthorization,
  'variants of a target': (text) => targetVariants(text, text),
  'a body as the inspector shows it': (text) =>
    shownBody(text, {secrets: [], value: () => undefined, encoding: 'utf8'}),
  'a header as it went over the wire': starText,
  'a header as the inspector shows it': shownText,
};
