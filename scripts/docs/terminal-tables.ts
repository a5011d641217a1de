// The tables about terminals that `npm run docs` writes between markers of pages written by hand.
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {isDeviceType} from '../../src/contract/device-types.js';
import type {About} from '../../src/engine/families/about.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../src/engine/families/registry.js';
import type {Terminal} from '../../src/engine/families/terminal.js';
import type {Writer} from '../../src/engine/writing.js';
import type {PublishedRead} from '../../src/library/published-read.js';
import {fence, linked, page, table} from './markdown.js';

/** A sample of the tests, and its expected result. */
interface Sample extends Pick<PublishedRead, 'id' | 'title' | 'source'> {
  readonly evidence: string;
  readonly expect: {
    readonly errCode?: number;
    readonly response?: {readonly meta: {readonly mode: string}};
  };
}

interface Documented extends Pick<Terminal, 'type' | 'manufacturer' | 'recognises'> {
  readonly about: About;
  readonly writer: Writer | undefined;
  readonly samples: readonly Sample[];
}

/** Pages that describe several types; the others are named after their type. */
const SHARED_PAGES: Readonly<Record<string, string>> = {
  'ingenico-ra1': 'ingenico',
  'ingenico-rba': 'ingenico',
  wisepad2: 'wisepad',
  ...{newland: 'forwarded', bbpos: 'forwarded', poynt: 'forwarded', spire: 'forwarded'},
};

/** Each table by the words of its marker: `facts miura`. */
export async function terminalTables(samples: string): Promise<ReadonlyMap<string, string>> {
  const all = await Promise.all(TERMINAL_TYPES.map((type) => documented(type, samples)));
  const list = all.map(({type}) => `\`${type}\``).join(', ');
  return new Map([
    ...all.flatMap((one) => [
      [`facts ${one.type}`, factsTable(one)] as const,
      [`trials ${one.type}`, trials(one)] as const,
      [`names ${one.type}`, namesTables(one)] as const,
      [`samples ${one.type}`, samplesTable(one)] as const,
    ]),
    ['terminals of the interface', overview(all.filter(({type}) => isDeviceType(type)))],
    ['terminals beyond the interface', overview(all.filter(({type}) => !isDeviceType(type)))],
    [
      'manufacturers',
      table(
        ['`deviceType`', '`meta.device`'],
        all.map(({type, manufacturer}) => [`\`${type}\``, `\`${manufacturer}\``]),
      ),
    ],
    ['terminals', list.replaceAll(/(.{1,79})(?: |$)/g, '$1\n').trimEnd()],
  ]);
}

/** The page of a type, below docs. */
export function pageOf(type: string): string {
  return `terminals/${SHARED_PAGES[type] ?? type}.md`;
}

async function documented(type: TerminalType, samples: string): Promise<Documented> {
  const terminal: Terminal = TERMINALS[type];
  return {
    ...terminal,
    about: await terminal.about(),
    writer: await terminal.write?.(),
    samples: samplesIn(samples, type),
  };
}

/** The samples of a terminal. Throws an error that names the file if it is missing. */
export function samplesIn(folder: string, type: string): readonly Sample[] {
  const file = path.join(folder, `${type}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  throw new Error(`test/samples/${type}.json is missing: every terminal needs a sample`);
}

function factsTable({type, manufacturer, recognises, about, writer}: Documented): string {
  const recognition =
    typeof recognises === 'function'
      ? 'yes, but for forms that belong to another type'
      : recognises
        ? 'yes'
        : 'no: name the type';
  const rows = [
    ['`deviceType`', `\`${type}\``],
    ['`meta.device`', `\`${manufacturer}\``],
    ['modes', modesOf(writer)],
    ['recognised without `--device-type`', recognition],
    ['evidence', `**${about.evidence}**`],
  ];
  return table(['question', 'answer'], rows);
}

function modesOf(writer: Writer | undefined): string {
  return writer ? writer.modes.join(', ') : 'parsing only';
}

function trials({type, about, writer}: Documented): string {
  const options = (writer?.options ?? []).map(({name, values, form, meaning}) => {
    const shown = values.filter((value) => value !== '').map((value) => `\`${value}\``);
    return [`\`${name}\``, [...shown, ...(form ? ['...'] : [])].join(', '), meaning];
  });
  const explanation =
    '`--option NAME=VALUE` sets a format option. The first value is the default; `...` stands for values of the form given in the meaning.';
  return page(
    ...about.trials.map((trial) => trialText(type, trial)),
    ...(options.length > 0 ? [explanation, table(['option', 'values', 'meaning'], options)] : []),
  ).trimEnd();
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

function namesTables({about}: Documented): string {
  const texts = about.tables.flatMap(({title, head, rows}) => [`${title}:`, table(head, rows)]);
  return page(...texts).trimEnd();
}

function samplesTable({samples}: Documented): string {
  return table(
    ['read', 'kind', 'answer', 'source'],
    samples.map(({id, title, evidence, expect, source}) => [
      `${title} (\`${id}\`)`,
      evidence,
      expect.errCode ?? expect.response?.meta.mode ?? '',
      linked(source),
    ]),
  );
}

function overview(some: readonly Documented[]): string {
  return table(
    ['type', 'terminal', 'modes', 'evidence'],
    some.map(({type, about, writer}) => [
      `[${type}](${pageOf(type)})`,
      about.title,
      modesOf(writer),
      about.evidence,
    ]),
  );
}
