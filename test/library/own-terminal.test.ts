import {describe, expect, it} from 'vitest';
import {
  decrypt,
  diagnose,
  type EncryptedField,
  inspect,
  PaylensError,
  type Reading,
  recognise,
  simulate,
  type Terminal,
  type Trace,
} from '../../src/index.js';
import {acme, acmeFrame, KSN, TRACK_2} from '../acme.js';

const mine = await acme();
const options = {terminals: [mine], testKeys: true};

type Outcome = {readonly code: number; readonly message: string} | {readonly value: unknown};

function outcome(run: () => unknown): Outcome {
  try {
    return {value: run()};
  } catch (error) {
    if (error instanceof PaylensError) return {code: error.code, message: error.message};
    throw error;
  }
}

/** The terminal with other members. */
function but(members: object): Terminal {
  return {...mine, ...members} as Terminal;
}

/** The terminal whose reading is changed. */
function reading(change: (reading: Reading, field: EncryptedField, trace: Trace) => unknown) {
  return but({
    read: (payload: string, trace: Trace) => {
      const found = mine.read(payload, trace);
      return change(found, found.candidates[0]?.[0] as EncryptedField, trace);
    },
  });
}

/** The terminal whose field is changed. */
function field(members: object): Terminal {
  return reading((found, one) => ({...found, candidates: [[{...one, ...members}]]}));
}

function failure(terminal: unknown, payload = acmeFrame()): Outcome {
  return outcome(() =>
    decrypt(payload, {terminals: [terminal as Terminal], testKeys: true, deviceType: 'acme-m1'}),
  );
}

describe('an own terminal', () => {
  it('is recognised, and its payload decrypted', () => {
    expect(recognise(acmeFrame(), {terminals: [mine]})).toEqual(['acme-m1']);
    const {meta, track2, extracted} = decrypt(acmeFrame(), options);
    expect(meta).toEqual({device: 'ACME', serial: 'FFFF9876543210', mode: 'swiped'});
    expect(track2?.ascii).toBe(TRACK_2);
    expect(extracted.PAN).toBe('4111111111111111');
    expect(extracted.EXPY).toBe('1229');
  });

  it('explains how it was decrypted, with the facts that it gives', () => {
    const {explanation} = decrypt(acmeFrame(), {...options, explain: true});
    expect(explanation.recognisedAs).toBe('acme-m1, M1 frame');
    expect(explanation.fields[0]?.facts).toEqual(['grammar of track 2', 'masked card number']);
  });

  it('has every byte named', () => {
    const {recognisedAs, form, parts, checks} = inspect(acmeFrame(), {terminals: [mine]});
    expect({recognisedAs, form}).toEqual({recognisedAs: 'acme-m1', form: 'M1 frame'});
    expect(parts.map(({offset, length, name}) => [offset, length, name])).toEqual([
      [0, 2, 'M1'],
      [2, 2, 'length'],
      [4, 10, 'KSN'],
      [14, 1, 'digits of the card number'],
      [15, 16, 'masked card number'],
      [31, 40, 'track 2, encrypted'],
      [71, 1, 'LRC'],
    ]);
    expect(checks).toMatchObject([{name: 'LRC', offset: 71, ok: true}]);
  });

  it('writes what it reads', async () => {
    const made = await simulate({deviceType: 'acme-m1', ksn: KSN, ...options});
    expect(made.deviceType).toBe('acme-m1');
    expect(decrypt(made.devicePayload, options).extracted.PAN).toBe('4111111111111111');
    const damaged = await simulate({deviceType: 'acme-m1', damage: 'lrc', ...options});
    expect(outcome(() => decrypt(damaged.devicePayload, options))).toMatchObject({code: 2101});
    const cut = await simulate({deviceType: 'acme-m1', damage: 'cut', ...options});
    expect(outcome(() => decrypt(cut.devicePayload, options))).toMatchObject({code: 2102});
  });

  it('is as wary of wrong keys as the terminals of paylens', () => {
    const bdk = '00112233445566778899AABBCCDDEEFF';
    expect(outcome(() => decrypt(acmeFrame({bdk}), options))).toMatchObject({code: 2601});
    const other = acmeFrame({masked: '541333******1111'});
    expect(outcome(() => decrypt(other, options))).toMatchObject({code: 2601});
  });

  it('is not known without being named', () => {
    expect(outcome(() => decrypt(acmeFrame(), {testKeys: true}))).toMatchObject({code: 2100});
    expect(
      outcome(() => decrypt(acmeFrame(), {testKeys: true, deviceType: 'acme-m1'})),
    ).toMatchObject({code: 2001});
  });

  it('shares a payload with another: both are named', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true});
    const greedy = but({recognises: true, read: () => mine.read(acmeFrame(), SILENT)});
    const found = outcome(() => decrypt(devicePayload, {terminals: [greedy], testKeys: true}));
    expect(found).toMatchObject({code: 2000, message: expect.stringContaining('idtech, acme-m1')});
    const twins = {...options, terminals: [mine, but({type: 'acme-m2'})]};
    expect(outcome(() => decrypt(acmeFrame(), twins))).toMatchObject({code: 2000});
    expect(decrypt(acmeFrame(), {...twins, deviceType: 'acme-m2'}).meta.device).toBe('ACME');
  });
});

const SILENT: Trace = {unit: 'byte', note: () => {}, check: () => true};

describe('what is no terminal', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['text', 'acme'],
    ['an array', []],
    ['a class', class {}],
    ['no type', but({type: undefined})],
    ['a type in capitals', but({type: 'ACME'})],
    ['a type with a control character', but({type: 'acme\x1b[2J'})],
    ['a long type', but({type: 'a'.repeat(51)})],
    ['a type of paylens', but({type: 'idtech'})],
    ['a type that paylens borrows', but({type: 'magtek'})],
    ['a manufacturer that is a number', but({manufacturer: 5})],
    ['an empty manufacturer', but({manufacturer: ''})],
    ['no reader', but({read: undefined})],
    ['no about', but({about: undefined})],
    ['an about that is not called', but({about: {title: 'x'}})],
    ['recognises that is text', but({recognises: '02'})],
    ['framing without its beginning', but({framing: {}})],
    ['framing that begins with text', but({framing: {begins: '02'}})],
    ['a write that is an object', but({write: {}})],
    ['a getter that throws', Object.defineProperty(but({}), 'read', {get: () => fail()})],
    ['a proxy that throws', new Proxy({}, {get: () => fail()})],
    ['a revoked proxy', revoked()],
  ])('%s is a wrong argument', (_, terminal) => {
    expect(failure(terminal)).toMatchObject({
      code: 2005,
      message: expect.stringContaining('terminals'),
    });
  });

  it('a list that is none, and the same type twice, are wrong arguments', () => {
    const decryptWith = (terminals: unknown) =>
      outcome(() => decrypt(acmeFrame(), {terminals: terminals as Terminal[], testKeys: true}));
    expect(decryptWith(mine)).toMatchObject({code: 2005});
    expect(decryptWith([mine, mine])).toMatchObject({code: 2005});
    expect(decryptWith(new Array(2))).toMatchObject({code: 2005});
  });
});

function fail(): never {
  throw new TypeError('4111111111111111 0123456789ABCDEFFEDCBA9876543210');
}

function revoked(): object {
  const {proxy, revoke} = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('an own terminal that fails', () => {
  const opened = () => ({track2: {bytes: new Uint8Array(), text: TRACK_2}, facts: [FACT]});
  const FACT = {kind: 'lrc', text: 'proof', bits: 50};
  it.each<[string, unknown, RegExp]>([
    ['throws', but({read: fail}), /acme-m1, read: threw TypeError at [\w.-]+:\d+:\d+$/],
    ['throws text', but({read: () => raise('4111111111111111')}), /threw text of 16 characters/],
    [
      'throws what cannot be told',
      but({read: () => raise(Object.assign(new Error('x'), {code: {toString: fail}}))}),
      /read: threw Error at/,
    ],
    ['throws nothing', but({read: () => raise(undefined)}), /threw nothing/],
    ['throws a proxy', but({read: () => raise(revoked())}), /threw an object/],
    [
      'throws a foreign code',
      but({read: () => raise(new PaylensError(1203))}),
      /PaylensError 1203/,
    ],
    ['throws our code', but({read: () => raise(new PaylensError(9040, 'x'))}), /PaylensError 9040/],
    ['returns nothing', but({read: () => {}}), /read: expected an object, found nothing/],
    ['returns a promise', but({read: async () => fail()}), /found a promise/],
    [
      'returns a proxy',
      but({read: () => new Proxy({}, {get: fail})}),
      /found a getter that throws/,
    ],
    ['returns a revoked proxy', but({read: revoked}), /read/],
    ['finds no candidate', reading((found) => ({...found, candidates: []})), /at least one/],
    ['finds no field', reading((found) => ({...found, candidates: [[]]})), /candidates\[0\]/],
    [
      'has a field before it',
      field({offset: -1}),
      /offset: expected an integer from 0 to 71, found -1/,
    ],
    ['has a field behind it', field({offset: 72}), /offset: .*found 72/],
    ['has a field that is too long', field({offset: 50}), /ciphertext: expected bytes inside/],
    [
      'has ciphertext in hex',
      field({ciphertext: 'AA'}),
      /ciphertext: .*found text of 2 characters/,
    ],
    ['has a cipher of another name', field({setting: {algorithm: 'des'}}), /setting.algorithm/],
    ['cannot open', field({open: true}), /open: expected a function/],
    ['opens to nothing', field({open: () => {}}), /open: expected an object, found nothing/],
    ['opens later', field({open: async () => fail()}), /open: .*found a promise/],
    ['fails to open', field({open: fail}), /open: threw TypeError/],
    ['proves nothing', field({open: () => ({...opened(), facts: undefined})}), /expected facts/],
    [
      'opens to a number',
      field({open: () => ({...opened(), pan: 4.1e15})}),
      /open.pan: .*another number/,
    ],
    [
      'opens to a bad list',
      field({open: () => ({tlv: [{bytes: Uint8Array.of(0x5a, 5, 1)}], facts: [FACT]})}),
      /tlv\[0\].bytes: expected a BER-TLV list to its end/,
    ],
    [
      'notes a part outside',
      noting({offset: 60, length: 20}),
      /bytes 60 to 80 are outside the payload of 72/,
    ],
    ['notes a byte twice', noting({offset: 1, length: 1}), /bytes 1 to 2 are noted twice/],
    ['notes no text', noting({value: 5}), /trace.note.value: expected text .*found 5/],
    [
      'notes nothing',
      reading((found, _, trace) => {
        trace.note(undefined as never);
        return found;
      }),
      /trace.note/,
    ],
    [
      'checks a number',
      reading((found, _, trace) => {
        trace.check(5 as never, 0, '', '');
        return found;
      }),
      /trace.check.name/,
    ],
    ['hides its fault', hiding(), /trace.note/],
    [
      'counts in words',
      reading((found, _, trace) => {
        trace.unit = 'word' as never;
        return found;
      }),
      /trace.unit/,
    ],
    ['agrees by throwing', reading((found) => ({...found, agree: fail})), /agree: threw TypeError/],
    [
      'agrees later',
      reading((found) => ({...found, agree: async () => {}})),
      /agree: .*found a promise/,
    ],
    [
      'has a mode of its own',
      reading((found) => ({...found, mode: () => 'waved'})),
      /mode: expected swiped/,
    ],
    [
      'refuses with a text',
      reading((found) => ({...found, refusal: 'no'})),
      /refusal: expected an error with code/,
    ],
  ])('%s: 9040 in its name', (_, terminal, message) => {
    const found = failure(terminal);
    expect(found).toMatchObject({code: 9040, message: expect.stringMatching(message)});
    expect(JSON.stringify(found)).toMatch(/Your own terminal has a fault: acme-m1, /);
    expect(JSON.stringify(found)).not.toMatch(/4111111111111111|0123456789ABCDEF/);
  });

  it('is reported where payloads are recognised, whoever sent them', async () => {
    const {devicePayload} = await simulate({deviceType: 'idtech', testKeys: true});
    for (const recognises of [fail, () => 'yes', async () => true, () => undefined]) {
      const terminals = [but({recognises})];
      expect(outcome(() => recognise(devicePayload, {terminals}))).toMatchObject({code: 9040});
      expect(outcome(() => decrypt(devicePayload, {terminals, testKeys: true}))).toMatchObject({
        code: 9040,
      });
      expect(outcome(() => inspect(devicePayload, {terminals}))).toMatchObject({code: 9040});
    }
    const terminals = [but({recognises: true, read: fail})];
    expect(outcome(() => recognise(devicePayload, {terminals}))).toMatchObject({code: 9040});
  });

  it('keeps what inspect found before', () => {
    const stops = but({
      read: (payload: string, trace: Trace) => {
        mine.read(payload, trace);
        fail();
      },
    });
    const {parts, error} = inspect(acmeFrame(), {terminals: [stops], deviceType: 'acme-m1'});
    expect(parts).toHaveLength(7);
    expect(error?.code).toBe(9040);
  });

  it('passes on the errors of payloads, also those of another copy of paylens', () => {
    class PaylensError2 extends Error {
      override name = 'PaylensError';
      readonly code = 2102;
      readonly detail = 'card 4111111111111111 ends early';
      readonly hint = 'Read it again.';
    }
    for (const error of [
      new PaylensError(2102, 'ends early'),
      Object.assign(new Error('ends early'), {code: 2102}),
      new PaylensError2(),
    ]) {
      const found = failure(but({read: () => raise(error)}));
      expect(found).toMatchObject({code: 2102, message: expect.stringContaining('ends early')});
      expect(JSON.stringify(found)).not.toContain('4111111111111111');
    }
    const refusal = new PaylensError(2110, 'not encrypted');
    expect(failure(reading((found) => ({...found, candidates: [], refusal})))).toMatchObject({
      code: 2110,
    });
  });

  it('cannot change what was found, nor what paylens holds', () => {
    const meddling = field({
      open: (plain: Uint8Array) => {
        const [[own] = []] = mine.read(acmeFrame(), SILENT).candidates;
        const found = own?.open(plain);
        plain.fill(0);
        return found;
      },
    });
    expect(failure(meddling)).toMatchObject({value: {track2: {ascii: TRACK_2}}});
    const spoils = reading((found) => ({
      ...found,
      agree: (content: {track2?: unknown}) => {
        content.track2 = 5;
      },
    }));
    expect(failure(spoils)).toMatchObject({value: {track2: {ascii: TRACK_2}}});
  });

  it('needs 40 bits of evidence', () => {
    const weak = field({open: () => ({...opened(), facts: [{...FACT, bits: 39}]})});
    expect(failure(weak)).toMatchObject({code: 2601});
    const enough = field({open: () => ({...opened(), facts: [FACT], bits: 'x'})});
    expect(failure(enough)).toMatchObject({value: {extracted: {PAN: '4111111111111111'}}});
  });
});

function raise(error: unknown): never {
  throw error;
}

function noting(members: object): Terminal {
  return reading((found, _, trace) => {
    trace.note({offset: 0, length: 0, depth: 0, name: 'x', value: '', ...members});
    return found;
  });
}

function hiding(): Terminal {
  return reading((found, _, trace) => {
    try {
      trace.note({offset: 1.5, length: 0, depth: 0, name: 'x', value: ''});
    } catch {}
    return found;
  });
}

/** Values that are nothing that a member of a reading can be, but for texts and booleans here and there. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['false', false],
  ['0', 0],
  ['-1', -1],
  ['1.5', 1.5],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['a bigint', 10n],
  ['a symbol', Symbol('x')],
  ['an empty text', ''],
  ['half a pair', '\ud800'],
  ['a long text', 'A'.repeat(70_000)],
  ['an object', {}],
  ['an array', []],
  ['a hole', new Array(1)],
  ['bytes', new Uint8Array(3)],
  ['a function', () => {}],
  ['a promise', Promise.resolve()],
  ['a proxy that throws', new Proxy({}, {get: fail, ownKeys: fail, getPrototypeOf: fail})],
  ['a revoked proxy', revoked()],
];

/** A reading in which every member is set. */
function wholeReading(): Reading {
  const found = mine.read(acmeFrame(), SILENT);
  const [first] = found.candidates[0] as [EncryptedField];
  const whole: EncryptedField = {
    ...{...first, iv: '0000000000000000', swipe: '1', ivExpected: true},
    ...{workingModes: ['cbc'], singleDes: false},
  };
  return {
    ...found,
    recognisedBy: 'length',
    serial: '12345678',
    serialInside: true,
    mode: 'swiped',
    candidates: [[whole]],
    clear: {name: 'TEST/CARD', facts: [{kind: 'other', text: 'x', bits: 1}]},
    clearExpiryMayDiffer: true,
    takesWorkingKey: true,
    macs: [
      {
        ...{name: 'MAC', offset: 0, ksn: 'FFFF9876543210000000', variant: 'mac'},
        ...{message: new Uint8Array(1), mac: new Uint8Array(4)},
      } as const,
    ],
    secondaryFields: [whole],
    masked: [{name: 'copy', pan: '411111******1111', isTrack1: true}],
    ksns: [KSN],
    agree: () => {},
    encoding: 'hex',
  };
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [path];
  return [path, ...Object.entries(value).flatMap(([name, one]) => pathsIn(one, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : {...(value as object)};
  copy[name] = replaced(copy[name], rest, by);
  return copy;
}

function valueAt(path: Path): unknown {
  return path.reduce<unknown>(
    (owner, name) => (owner as Record<string | number, unknown>)[name],
    wholeReading(),
  );
}

/** Codes of what a text can be wrong in, beside the form of a reading. */
const OF_CONTENT = [2102, 2103, 2400, 2601, 2602];

describe('a reading of an own terminal, each of its members replaced', () => {
  it.each(pathsIn(wholeReading()).map((path) => [path.join('.') || 'the whole', path] as const))(
    '%s: 9040, or an answer',
    (_, path) => {
      for (const [name, wrong] of WRONG) {
        const terminal = but({read: () => replaced(wholeReading(), path, wrong)});
        const found = failure(terminal);
        if ('value' in found) {
          expect(found.value, name).toMatchObject({extracted: {PAN: '4111111111111111'}});
        } else if (found.code !== 9040) {
          expect(OF_CONTENT, `${name}: ${found.message}`).toContain(found.code);
          expect([typeof valueAt(path), 'undefined'], name).toContain(typeof wrong);
        }
        inspect(acmeFrame(), {terminals: [terminal], deviceType: 'acme-m1'});
      }
    },
  );

  it('is accepted as it is', () => {
    expect(failure(but({read: wholeReading}))).toMatchObject({
      value: {extracted: {PAN: '4111111111111111', FirstName: 'CARD'}},
    });
  });
});

describe('diagnose with an own terminal', () => {
  const bdk = '00112233445566778899AABBCCDDEEFF';

  it('finds the key of its payload, and the command that decrypts it', async () => {
    const given = {payload: acmeFrame({bdk}), keys: [{hex: bdk}]};
    const {solved, solution, evidence, next} = await diagnose(given, {terminals: [mine]});
    expect({solved, type: solution?.deviceType, form: solution?.form}).toEqual({
      solved: true,
      type: 'acme-m1',
      form: 'M1 frame',
    });
    expect(evidence).toContain('track 2: masked card number');
    expect(next).toMatch(/^paylens decrypt --terminal FILE --device-type acme-m1 --payload 4D31/);
  });

  it('knows its type in a case', async () => {
    const given = {payload: acmeFrame(), deviceType: 'acme-m1'};
    const {verdicts} = await diagnose(given, {terminals: [mine]});
    expect(verdicts.map(({label}) => label)).toContain('decrypts-plainly');
  });

  it('finds its payload inside a log', async () => {
    const payload = `12:00:01 received "${acmeFrame()}" from port 3`;
    const {solution} = await diagnose({payload}, {terminals: [mine]});
    expect(solution?.deviceType).toBe('acme-m1');
  });

  it.each([
    ['throws', but({recognises: true, read: fail})],
    ['recognises later', but({recognises: async () => true})],
    ['fails to open', field({open: fail})],
    ['repairs by throwing', but({framing: {begins: /^00/, repairs: fail}})],
  ])('rejects with 9040 if it %s', async (_, terminal) => {
    const given = {payload: acmeFrame({bdk}), deviceType: undefined};
    const found = diagnose(given, {terminals: [terminal], budgetMs: 2000});
    await expect(found).rejects.toMatchObject({code: 9040});
  });
});
