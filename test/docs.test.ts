import {cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {samplesIn} from '../scripts/docs/device-page.js';
import type {About} from '../src/engine/devices/about.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../src/engine/devices/registry.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {chooseCard, chooseKsn} from '../src/simulator/choose-simulation.js';
import {answer, readSamples} from './engine/samples.js';
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

describe('what docs tells', () => {
  it.each(TERMINAL_TYPES)('%s: the example is a sample of the tests', (type) => {
    expect(readSamples(type).map(({id}) => id)).toContain(ABOUTS[type].example);
  });

  it('marks phressiapad inferred, in every point', () => {
    const {evidence, forms, keys, notes} = ABOUTS.phressiapad;
    const levels = [evidence, ...[...forms, ...keys, ...notes].map((fact) => fact.evidence)];
    expect(new Set(levels)).toEqual(new Set(['inferred']));
  });
});

it('names the samples that a terminal lacks', () => {
  expect(() => samplesIn(tempFolder(), 'quill')).toThrow(/^test\/samples\/quill\.json is missing/);
});

describe('make-docs --check', () => {
  it('passes on the committed pages', async () => {
    expect(await faultsOf(path.join(root, 'docs'))).toBe('');
  });

  it('finds a page that was changed', async () => {
    const docs = copyOfDocs();
    writeFileSync(pageOf(docs, 'miura'), 'by hand\n');
    expect(await faultsOf(docs)).toMatch(/^docs\/devices\/miura\.md is not current/);
  });

  it('finds a device type without a page', async () => {
    const docs = copyOfDocs();
    rmSync(pageOf(docs, 'prima'));
    expect(await faultsOf(docs)).toMatch(/^docs\/devices\/prima\.md is not current/);
  });

  it('finds a page of no device type', async () => {
    const docs = copyOfDocs();
    mkdirSync(path.join(docs, 'devices/old'));
    writeFileSync(path.join(docs, 'devices/old/a.txt'), '');
    expect(await faultsOf(docs)).toBe('docs/devices/old/a.txt is not made by `npm run docs`');
  });
});

function pageOf(docs: string, type: string): string {
  return path.join(docs, 'devices', `${type}.md`);
}

function copyOfDocs(): string {
  const docs = path.join(tempFolder(), 'docs');
  cpSync(path.join(root, 'docs'), docs, {recursive: true});
  return docs;
}

async function faultsOf(docs: string): Promise<string> {
  const script = path.join(root, 'scripts/docs/make-docs.ts');
  const {stderr} = await execa(process.execPath, ['--import', 'tsx', script, '--check', docs], {
    reject: false,
  });
  return stderr;
}
