import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {Ajv} from 'ajv';
import {beforeEach, describe, expect, test} from 'vitest';
import {readVerifyConfig} from '../../src/cli/verify/verify-config.js';
import {isCase, parseCase} from '../../src/input/case.js';
import {parseImport} from '../../src/keyfile/key-blocks/import-keys.js';
import {isSchemaLine, parseDeviceLine} from '../../src/service/registry/device-line.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {fencesOf} from './fences.js';

const FOLDER = 'docs/schemas';
const NAMES = ['devices', 'diagnose-case', 'key-import', 'verify-config'] as const;
type Name = (typeof NAMES)[number];

const fileOf = (name: string) => `${name}.schema.json`;
const ajv = new Ajv({strictTypes: true, allErrors: true});
const VALID = Object.fromEntries(
  NAMES.map((name) => [
    name,
    ajv.compile(JSON.parse(readFileSync(path.join(FOLDER, fileOf(name)), 'utf8'))),
  ]),
) as Readonly<Record<Name, ReturnType<typeof ajv.compile>>>;

function complaints(name: Name, value: unknown): string {
  return VALID[name](value) ? '' : ajv.errorsText(VALID[name].errors);
}

test('every schema of the folder is one of these', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(NAMES.map(fileOf));
});

interface KeyMatch {
  readonly place: string;
  readonly name: Name;
  readonly value: unknown;
}

/** Which of the files a JSON value of samples and docs is; requests and others are none. */
function nameOf(value: Readonly<Record<string, unknown>>): Name | undefined {
  if ('partner' in value || 'payloads' in value) return 'verify-config';
  if ('ciphertexts' in value) return 'diagnose-case';
  if ('keys' in value && !('devicePayload' in value)) return 'key-import';
  return 'status' in value && 'serial' in value ? 'devices' : undefined;
}

function found(place: string, text: string): KeyMatch[] {
  const value = JSON.parse(text);
  const name = nameOf(value);
  return name ? [{place, name, value}] : [];
}

const pages = readdirSync('docs', {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.md'))
  .map((file) => path.join('docs', file));
const FILES = [
  ...readdirSync('samples')
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => found(`samples/${file}`, readFileSync(`samples/${file}`, 'utf8'))),
  ...['README.md', ...pages].flatMap((page) =>
    fencesOf(readFileSync(page, 'utf8'))
      .filter(({language}) => language === 'json')
      .flatMap(({text}) => found(page, text)),
  ),
];

describe('a file in samples and docs', () => {
  test.each(FILES)('$place: a $name', ({name, value}) => {
    expect(complaints(name, value)).toBe('');
  });

  test('is there for every schema but that of JSONL', () => {
    expect(new Set(FILES.map(({name}) => name))).toEqual(
      new Set(NAMES.filter((name) => name !== 'devices')),
    );
  });

  test('the guide names the kinds of keys of a case', () => {
    const guide = readFileSync('docs/diagnose-reference.md', 'utf8');
    const [, named = ''] = /`kind` is (.*?):/.exec(guide) ?? [];
    const schema = readFileSync(path.join(FOLDER, fileOf('diagnose-case')), 'utf8');
    const {keys} = JSON.parse(schema).properties;
    expect(named.match(/[a-z]+(?=`)/g)).toEqual(keys.items.properties.kind.enum);
  });

  test.each(readdirSync('samples').filter((file) => /^idtech.*json|generic.*json/.test(file)))(
    '%s: a request is a case, too',
    (file) => {
      expect(complaints('diagnose-case', JSON.parse(readFileSync(`samples/${file}`, 'utf8')))).toBe(
        '',
      );
    },
  );
});

const $schema = `./node_modules/paylens/docs/schemas/x`;
const HEX = '0123456789ABCDEFFEDCBA9876543210';

/** A file of each kind with every member. */
const WHOLE: Readonly<Record<Name, unknown>> = {
  'verify-config': {...JSON.parse(readFileSync('samples/verify-demo.json', 'utf8')), $schema},
  'key-import': {
    $schema,
    keys: [
      {name: 'a', kind: 'bdk', algorithm: 'tdes', hex: HEX, ksnPrefix: '62994901'},
      {name: 'b', kind: 'ik', hex: HEX, ksnPrefix: '62994901190000'},
      {kind: 'bdk', algorithm: 'aes', hex: HEX + HEX, compatibility: true},
      {kind: 'kbpk', hex: HEX},
      {kind: 'working', hex: HEX.slice(16), ksnPrefix: 'FFFF9876543210E00001'},
      {name: 'c', keyBlock: 'B0080', kbpk: 'x', ksnPrefix: '62', compatibility: false},
    ],
  },
  devices: {
    $schema,
    partnerId: 'WATERFORD',
    serial: '1',
    clientId: 'c',
    status: 'active',
    firmware: ['1.0'],
  },
  'diagnose-case': {
    $schema,
    deviceType: 'generic',
    payload: '01',
    ciphertexts: [{name: 'a', hex: '00', expected: 'x'}, {value: '00'}],
    ksn: 'FFFF9876543210E00008',
    iv: '00',
    keys: [{kind: 'bdk', hex: `0x${HEX}`}, {hex: '01:23:45:67:89:AB:CD'}],
    pan: '4111111111111111',
    expected: ';4111',
  },
};

/** Every document that differs from `value` in one place. */
function* mutants(value: unknown): Generator<unknown> {
  yield* [null, 7, '', 'x', '0', 'XX'.repeat(16), [], {}, [7], true];
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) {
      yield value.toSpliced(i, 1);
      for (const other of mutants(each)) yield value.toSpliced(i, 1, other);
    }
    return;
  }
  yield {...value, mistyped: 'x'};
  for (const [name, member] of Object.entries(value)) {
    const {[name]: _, ...rest} = value as Record<string, unknown>;
    yield rest;
    for (const other of mutants(member)) yield {...rest, [name]: other};
  }
}

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

async function readVerify(value: unknown): Promise<void> {
  const file = path.join(folder, 'verify.json');
  writeFileSync(file, JSON.stringify(value), {mode: 0o600});
  await readVerifyConfig(file);
}

/** The readers of the files; each throws for what it refuses. */
const READ: Readonly<Record<Name, (value: unknown) => unknown>> = {
  'verify-config': readVerify,
  'key-import': parseImport,
  devices: (value) => {
    const text = JSON.stringify(value);
    return isSchemaLine(text) || parseDeviceLine(text, 'line 1');
  },
  'diagnose-case': (value) => {
    if (!isCase(JSON.stringify(value))) throw new Error('no case');
    parseCase(JSON.stringify(value));
  },
};

async function refusal(name: Name, value: unknown): Promise<string> {
  try {
    await READ[name](value);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message || String(error) : String(error);
  }
}

describe('a schema and its reader', () => {
  test.each(NAMES)('%s: agree on a file with every member', async (name) => {
    const whole = name === 'verify-config' ? withoutFile(WHOLE[name]) : WHOLE[name];
    expect([complaints(name, whole), await refusal(name, whole)]).toEqual(['', '']);
  });

  test.each(NAMES)('%s: what the schema accepts is read', async (name) => {
    const accepted = [...mutants(WHOLE[name])].filter((value) => VALID[name](value));
    expect(accepted.length).toBeGreaterThan(10);
    for (const value of accepted) {
      const why = await refusal(name, name === 'verify-config' ? withoutFile(value) : value);
      expect(why, JSON.stringify(value)).toBe('');
    }
  });

  // A block is checked when it is opened. Leniency of the case is for what people paste; an editor may be stricter.
  test.each(NAMES.filter((name) => name !== 'diagnose-case'))(
    '%s: what the schema refuses is not read',
    async (name) => {
      const refused = [...mutants(withoutBlock(WHOLE[name]))].filter(
        (value) => !VALID[name](value),
      );
      expect(refused.length).toBeGreaterThan(50);
      for (const value of refused)
        expect(await refusal(name, value), JSON.stringify(value)).not.toBe('');
    },
  );
});

function withoutFile(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('partner' in value)) return value;
  const {rsaPrivateKeyFile: _, ...partner} = value.partner as Record<string, unknown>;
  return {...value, partner};
}

function withoutBlock(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return value;
  return {...value, keys: (value.keys as object[]).filter((key) => !('keyBlock' in key))};
}
