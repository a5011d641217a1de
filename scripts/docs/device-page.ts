// Generates the page of one terminal type from the tables used by its reader and writer.
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {ERROR_CATALOGUE} from '../../src/contract/error-catalogue.js';
import type {About} from '../../src/engine/devices/about.js';
import type {Writer} from '../../src/engine/devices/writer.js';
import type {CipherSetting} from '../../src/engine/reading.js';
import {bullets, fence, linked, page, table} from './markdown.js';

const LONGEST_EXAMPLE = 320;

/** A sample of the tests, and its expected result. */
interface Sample {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly evidence: string;
  readonly request: {readonly devicePayload: string};
  readonly expect: {
    readonly errCode?: number;
    readonly response?: {readonly meta: {readonly mode: string}};
  };
}

/** All input for the page of a type. */
export interface DocumentedDevice {
  readonly type: string;
  readonly manufacturer: string;
  /** Whether the type is recognised without being named, in words. */
  readonly recognised: string;
  readonly about: About;
  readonly writer: Writer | undefined;
  readonly samples: readonly Sample[];
}

/** The page as Markdown. */
export function devicePage({
  type,
  manufacturer,
  recognised,
  about,
  writer,
  samples,
}: DocumentedDevice): string {
  const example = samples.find(({id}) => id === about.example);
  if (!example) throw new Error(`${type}: there is no sample ${about.example}`);
  return page(
    `# ${type}: ${about.title}`,
    about.summary,
    table(
      ['question', 'answer'],
      [
        ['`deviceType`', `\`${type}\``],
        ['`meta.device`', `\`${manufacturer}\``],
        ['modes', modesOf(writer)],
        ['KSN', about.ksn],
        ['IV', about.iv],
        ['serial number', about.serial],
        ['recognised without `--device-type`', recognised],
        ['evidence', `**${about.evidence}**`],
      ],
    ),
    about.proof,
    `The evidence, byte by byte: [${about.format.replace(/^docs.|#.*/g, '')}](${about.format.replace('docs', '..')}).`,
    '## What it looks like',
    `${example.title} (${linked(example.source)}):`,
    fence('text', shortened(example.request.devicePayload)),
    '## Forms that are accepted',
    facts('form', about.forms),
    '## Keys and ciphers',
    keys(about),
    '## Parsing notes',
    facts('what', about.notes),
    '## What is rejected',
    table(
      ['what', 'error'],
      about.refused.map(({what, code}) => [
        what,
        `[${code}](../errors.md): ${ERROR_CATALOGUE[code].message}`,
      ]),
    ),
    about.keys.length === 0
      ? ''
      : 'As for every type: no KSN (2400), no key for it (2600), a plaintext that is not card data (2601) or holds no card number (2800).',
    ...(writer ? simulation(type, about, writer) : []),
    ...about.tables.flatMap(({title, head, rows}) => [`## ${title}`, table(head, rows)]),
    '## Card reads in the tests',
    'The payloads in the test suite and the expected result of each. The kinds are explained [here](../terminals.md#card-reads-in-the-tests).',
    table(
      ['read', 'kind', 'answer', 'source'],
      samples.map(({title, evidence, expect, source}) => [
        title,
        evidence,
        expect.errCode ?? expect.response?.meta.mode ?? '',
        linked(source),
      ]),
    ),
    '## Sources',
    bullets(about.sources.map(linked)),
  );
}

/** The modes for which payloads can be generated, if any. */
export function modesOf(writer: Writer | undefined): string {
  return writer ? writer.modes.join(', ') : 'parsing only';
}

function simulation(type: string, {trials}: About, {options}: Writer): string[] {
  return [
    '## Generate a payload',
    trials.map((trial) => trialText(type, trial)).join('\n\n'),
    '`--option NAME=VALUE` sets a format option. The first value is the default; `...` stands for values of the form given in the meaning.',
    table(['option', 'values', 'meaning'], options.map(optionRow)),
  ];
}

function shortened(payload: string): string {
  if (payload.length <= LONGEST_EXAMPLE) return folded(payload);
  return `${folded(payload.slice(0, LONGEST_EXAMPLE))}\n... (${payload.length} characters)`;
}

/** Control characters spelled out, lines of at most 80 characters. */
function folded(payload: string): string {
  return payload
    .replaceAll('\x02', '<STX>')
    .replaceAll('\x03', '<ETX>')
    .replaceAll('\x1c', '<FS>')
    .replaceAll(/[^\x20-\x7e\n]/g, '.')
    .replaceAll(/.{80}(?=.)/g, '$&\n');
}

function facts(head: string, items: About['notes']): string {
  return table(
    [head, 'evidence'],
    items.map(({what, evidence}) => [what, evidence]),
  );
}

function keys({keys: uses}: About): string {
  if (uses.length === 0) return 'None: the scheme is closed.';
  const rows = uses.map(({what, setting, evidence}) => [what, ...settingCells(setting), evidence]);
  const aes = [
    'any of them, when the KSN has 12 bytes (24 digits): AES DUKPT (ANSI X9.24-3)',
    'AES CBC',
    'data encryption',
    '',
    'inferred',
  ];
  return table(
    ['what', 'cipher', 'variant of the key', 'self-encrypted', 'evidence'],
    [...rows, aes],
  );
}

function settingCells({algorithm, mode, variant, selfEncrypted}: CipherSetting): string[] {
  const cipher = `${algorithm.toUpperCase()} ${mode.toUpperCase()}`;
  return [cipher, variant, selfEncrypted ? 'yes' : 'no'];
}

function trialText(type: string, trial: About['trials'][number]): string {
  const {what, mode, card, iv, options = {}, code} = trial;
  const flags = [
    `--device-type ${type} --mode ${mode}`,
    ...(card === undefined ? [] : [`--card ${card}`]),
    ...(iv === undefined ? [] : [`--iv ${iv}`]),
    ...Object.entries(options).map(([name, value]) => `--option ${name}=${value}`),
  ];
  const command = `paylens simulate ${flags.join(' ')} --test-keys --json | paylens decrypt - --test-keys`;
  const answer = code === undefined ? '' : ` (${code})`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}${answer}:\n\n${fence('sh', command)}`;
}

function optionRow({name, values, form, meaning}: Writer['options'][number]): string[] {
  const shown = values.filter((value) => value !== '').map((value) => `\`${value}\``);
  return [`\`${name}\``, [...shown, ...(form ? ['...'] : [])].join(', '), meaning];
}

/** The samples of a terminal. Throws an error that names the file if it is missing. */
export function samplesIn(folder: string, type: string): DocumentedDevice['samples'] {
  const file = path.join(folder, `${type}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  throw new Error(`test/samples/${type}.json is missing: every terminal needs a sample`);
}
