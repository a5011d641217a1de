import {cpSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {samplesIn} from '../scripts/docs/terminal-tables.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import type {About} from '../src/engine/families/about.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../src/engine/families/registry.js';
import {chooseCard, chooseKsn} from '../src/simulator/choose-simulation.js';
import {answer, readSamples, ringOf} from './engine/samples.js';
import {tempFolder} from './keyfile/temp-folder.js';
import {simulate} from './writers.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const ABOUTS = Object.fromEntries(
  await Promise.all(TERMINAL_TYPES.map(async (type) => [type, await TERMINALS[type].about()])),
) as Readonly<Record<TerminalType, About>>;

const trials = TERMINAL_TYPES.flatMap((type) =>
  ABOUTS[type].trials.map((trial) => ({type, title: `${type}: ${trial.what}`, trial})),
);

describe('the payloads that docs shows how to make', () => {
  it.each(trials)('$title', ({type, trial}) => {
    const card = chooseCard({card: trial.card});
    const request = simulate({
      ...{deviceType: type, mode: trial.mode, card, keys: testKeyRing()},
      ...{ksn: chooseKsn(undefined, undefined), iv: trial.iv, options: trial.options ?? {}},
    });
    const {response, errCode} = answer(request, testKeyRing());
    expect({pan: response?.extracted.PAN, errCode}).toEqual({
      pan: trial.code === undefined ? card.pan : undefined,
      errCode: trial.code,
    });
  });

  it.each(TERMINAL_TYPES)('%s: one of every mode that it has', async (type) => {
    const modes = new Set(ABOUTS[type].trials.map(({mode}) => mode));
    const writer = await TERMINALS[type].write?.();
    expect([...modes].sort()).toEqual([...(writer?.modes ?? [])].sort());
  });
});

describe('how well a terminal is known', () => {
  const published = (type: TerminalType) =>
    readSamples(type).filter(
      ({evidence, expect: {response}}) =>
        response !== undefined && evidence !== 'synthetic' && evidence !== 'frame-only',
    );

  it.each(TERMINAL_TYPES)('%s is verified if a published read of it opens', (type) => {
    const opened = published(type).filter(
      ({request, keys}) => answer(request, ringOf(keys)).response !== undefined,
    );
    expect(ABOUTS[type].evidence === 'verified').toBe(opened.length > 0);
  });

  const all = new Set(TERMINAL_TYPES.flatMap((type) => published(type).map(({id}) => id)));
  const pages = readdirSync(path.join(root, 'docs/terminals'));

  it.each(pages)('%s cites the read behind each verified claim', (page) => {
    const text = readFileSync(path.join(root, 'docs/terminals', page), 'utf8');
    const claims = text.match(/^\|.*\| (?:verified\b.*) \|$/gm) ?? [];
    const cited = claims.map((row) => /verified: `([^`]+)` \|$/.exec(row)?.[1] ?? row);
    expect(cited.filter((id) => !all.has(id))).toEqual([]);
  });
});

it('names the samples that a terminal lacks', () => {
  expect(() => samplesIn(tempFolder(), 'quill')).toThrow(/^test\/samples\/quill\.json is missing/);
});

describe('make-docs --check', () => {
  it('passes on the committed pages', async () => {
    expect(await faultsOf(path.join(root, 'docs'))).toBe('');
  });

  it('finds a table that was changed', async () => {
    const docs = copyOfDocs();
    const text = readFileSync(pageOf(docs, 'miura'), 'utf8');
    writeFileSync(pageOf(docs, 'miura'), text.replace('| `MIURA` |', '| `ACME` |'));
    expect(await faultsOf(docs)).toMatch(/^docs\/terminals\/miura\.md is not current/);
  });

  it('finds a terminal type without a page', async () => {
    const docs = copyOfDocs();
    rmSync(pageOf(docs, 'prima'));
    expect(await faultsOf(docs)).toMatch(/no page has a marker for: facts prima/);
  });

  it('finds a file that nothing makes', async () => {
    const docs = copyOfDocs();
    writeFileSync(path.join(docs, 'schemas/a.txt'), '');
    expect(await faultsOf(docs)).toBe('docs/schemas/a.txt is not made by `npm run docs`');
  });
});

function pageOf(docs: string, type: string): string {
  return path.join(docs, 'terminals', `${type}.md`);
}

function copyOfDocs(): string {
  const docs = path.join(tempFolder(), 'docs');
  cpSync(path.join(root, 'docs'), docs, {recursive: true});
  cpSync(path.join(root, 'README.md'), path.join(docs, '../README.md'));
  return docs;
}

async function faultsOf(docs: string): Promise<string> {
  const script = path.join(root, 'scripts/docs/make-docs.ts');
  const {stderr} = await execa(process.execPath, ['--import', 'tsx', script, '--check', docs], {
    reject: false,
  });
  return stderr;
}
