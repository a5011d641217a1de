import {describe, expect, it} from 'vitest';
import type {TerminalType} from '../../../src/engine/families/registry.js';
import {readPaste} from '../../../src/input/paste/read-paste.js';
import {answer, readSamples, ringOf} from '../../engine/samples.js';

/** Members of a read in the notations of the programs that gateways and SDKs show. */
type Members = readonly (readonly [name: string, value: string])[];

const lines = (write: (name: string, value: string, i: number) => string) => (members: Members) =>
  members.map(([name, value], i) => write(name, value, i)).join('\n');

const NOTATIONS: Readonly<Record<string, (members: Members) => string>> = {
  'a hash of Ruby': lines((name, value) => `  :${name} => '${value}', # from the reader`),
  'a hash with strings': lines((name, value) => `"${name}" => "${value}",`),
  'an array of PHP': (members) =>
    `'p2pedata' => array(\n${lines((name, value) => `'${name}' => '${value}'`)(members).replaceAll('\n', ',\n')}\n),`,
  'properties of PHP': lines((name, value) => `$data->${name} = '${value}'; // as sent`),
  'properties of Objective-C': lines((name, value) => `card.${name} = @"${value}";`),
  'setters of Java': lines((name, value) => `tender.set${name}("${value}");`),
  'setters of fields': lines((name, value) => `tender.get${name}().setValue("${value}");`),
  'a map of Java': lines((name, value) => `map.put("${name}", "${value}");`),
  'a map in print': (members) =>
    `{${members.map(([name, value]) => `${name}=${value}`).join(', ')}}`,
  'a map in a log': (members) =>
    `D/Pos(77): onDecodeData {${members.map(([name, value]) => `${name}=${value}`).join(', ')}}`,
  'elements of XML': (members) =>
    `<soap:Body>${members.map(([name, value]) => `<ns:${name} i:nil="false">${value}</ns:${name}>`).join('')}</soap:Body>`,
  'rows of a table': (members) =>
    `| Example |\n|---|\n${lines((name, value) => `| ${name} = ${value} |`)(members)}`,
  'lines of a log': lines(
    (name, value, i) => `01-21 04:46:26.76${i}: D/POS_SDK(30241): ${name} = ${value}`,
  ),
  'lines of a comment': lines((name, value) => `     * ${name} = ${value}`),
};

function membersOf(deviceType: TerminalType, id: string): Members {
  const sample = readSamples(deviceType).find((one) => one.id === id);
  const leaves = (value: unknown): Members =>
    Object.entries(value as object).flatMap(
      ([name, one]): Members =>
        typeof one === 'object' && one !== null ? leaves(one) : [[name, String(one)]],
    );
  return leaves(JSON.parse(sample?.request.devicePayload ?? '{}'));
}

const READS: readonly (readonly [TerminalType, string])[] = [
  ['magtek', 'magtek-fields-cws-t2'],
  ['ifsf', 'ifsf-json'],
  ['spire', 'spire-pkcs'],
  ['bbpos', 'bbpos-track1-member'],
  ['dspread', 'dspread-swipe-json'],
  ['wisepad', 'synth-wisepad-fid54-t1t2'],
  ['newland', 'newland-wk-ecb'],
  ['abecs', 'abecs-gtk-51'],
];

describe.each(READS)('members of a read of %s, %s', (deviceType, id) => {
  const members = membersOf(deviceType, id).filter(([, value]) => value !== '');
  const ring = ringOf(readSamples(deviceType).find((one) => one.id === id)?.keys ?? []);
  const ask = (devicePayload: string) => answer({deviceType, devicePayload}, ring);
  const expected = ask(JSON.stringify(Object.fromEntries(members)));

  it('are read as JSON', () => expect(expected.errCode).toBeUndefined());

  it.each(Object.entries(NOTATIONS))('are read in %s', (_, write) => {
    const text = write(members);
    const devicePayload = readPaste(text, deviceType)?.payload ?? text;
    expect(ask(devicePayload)).toEqual(expected);
  });

  it.each(Object.entries(NOTATIONS))(
    'beside another value of a name are refused: %s',
    (_, write) => {
      const [name = '', value = ''] = members.find(([, one]) => /^[\dA-F]{32,}$/i.test(one)) ?? [];
      const text = write([...members, [name, value.split('').reverse().join('')]]);
      const asked = () => {
        const devicePayload = readPaste(text, deviceType)?.payload ?? text;
        return ask(devicePayload).errCode;
      };
      expect(codeOf(asked)).toBeGreaterThanOrEqual(2100);
    },
  );
});

const KSN = 'FFFF9876543210E00001';
const [HEAD, TAIL] = ['FE63E68785203FD84DFE55AFA748458C', 'B6E9EF6CD55D6C67BF126F3DE6560F20'];

/** A text whose payload is a KSN, data, and a value of `note` that its notation writes in its own way. */
const WRITTEN: Readonly<Record<string, readonly [note: string, text: string]>> = {
  'an escaped quote': [
    "it's",
    String.raw`['ksn' => '${KSN}', 'note' => 'it\'s', 'data' => '${HEAD}${TAIL}']`,
  ],
  'an escaped backslash': [
    'a\\',
    String.raw`["ksn" => "${KSN}", "note" => "a\\", "data" => "${HEAD}${TAIL}"]`,
  ],
  'a comma in a map': ['aa,bb', `{ksn=${KSN}, note=aa,bb, data=${HEAD}${TAIL}}`],
  'base64 in a map': ['QQ==', `{ksn=${KSN}, note=QQ==, data=${HEAD}${TAIL}}`],
  'base64 at the end of a map': ['QUE=', `{ksn=${KSN}, data=${HEAD}${TAIL}, note=QUE=}`],
  'a value before a name of one letter': ['aa', `{ksn=${KSN}, data=${HEAD}${TAIL}, note=aa, x=1}`],
};

it.each(Object.entries(WRITTEN))('reads %s as written', (_, [note, text]) => {
  const read = JSON.parse(readPaste(text, 'generic')?.payload ?? '{}');
  expect(read).toMatchObject({ksn: KSN, note, data: HEAD + TAIL});
});

/** Strings whose value goes on behind them, where paylens does not know it. */
const CONTINUED: readonly string[] = [
  `m.put("ksn", "${KSN}");\nm.put("data", "${HEAD}"\n    + rest);`,
  `card.setKsn("${KSN}"); card.setData("${HEAD}" + rest);`,
  `['ksn' => '${KSN}', 'data' => '${HEAD}' . $rest]`,
  `card.ksn = "${KSN}"\ncard.data = "${HEAD}" & rest`,
];

it.each(CONTINUED)('reads no part of a value for all of it: %s', (text) => {
  const asked = () => {
    const read = readPaste(text, 'generic')?.payload;
    return read === undefined ? 2100 : Number(read.includes(HEAD) && read.includes(KSN));
  };
  expect(codeOf(asked)).toBe(2100);
});

function codeOf(asked: () => number | undefined): number | undefined {
  try {
    return asked();
  } catch (error) {
    return (error as {code?: number}).code;
  }
}
