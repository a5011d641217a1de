import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const SCRIPTS = fileURLToPath(new URL('../../scripts/checks', import.meta.url));
const KNOWN = readFileSync(path.join(SCRIPTS, 'advisories.json'), 'utf8');

interface Project {
  readonly packages?: Record<string, {version: string; dev?: boolean}>;
  readonly licences?: string;
  readonly advisories?: string;
}

function check(root?: string, ...flags: string[]) {
  const argv = root === undefined ? flags : [root, ...flags];
  return execa(process.execPath, [path.join(SCRIPTS, 'check-advisories.mjs'), ...argv], {
    reject: false,
  });
}

function checkProject(
  {packages = {}, licences = '', advisories = KNOWN}: Project,
  ...flags: string[]
) {
  const root = tempFolder();
  for (const folder of ['dist', 'scripts/checks'])
    mkdirSync(path.join(root, folder), {recursive: true});
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({packages}));
  writeFileSync(path.join(root, 'dist/LICENSES.txt'), licences);
  writeFileSync(path.join(root, 'scripts/checks/advisories.json'), advisories);
  return check(root, ...flags);
}

const FASTIFY = 'node_modules/fastify';

describe('check-advisories', () => {
  it('passes on this project', async () => {
    expect((await check()).exitCode).toBe(0);
  });

  // Of each a version that it affects, and the first one that nothing known affects badly.
  it.each([
    ['GHSA-247c-9743-5963', FASTIFY, '5.8.4', '5.12.2'],
    ['GHSA-qhr7-859c-m2p7', 'node_modules/glob/node_modules/brace-expansion', '2.1.5', '2.1.6'],
    ['GHSA-4x49-vf9v-38px', 'node_modules/debug', '4.4.2', '4.4.3'],
  ])('refuses what %s affects and accepts its fix', async (id, place, version, fixed) => {
    const refused = await checkProject({packages: {[place]: {version}}});
    const accepted = await checkProject({packages: {[place]: {version: fixed}}});
    expect({
      refused: [refused.exitCode, refused.stderr.includes(id)],
      accepted: accepted.exitCode,
    }).toEqual({refused: [1, true], accepted: 0});
  });

  it('passes over what only the development installs', async () => {
    const {exitCode} = await checkProject({packages: {[FASTIFY]: {version: '5.8.4', dev: true}}});
    expect(exitCode).toBe(0);
  });

  it('refuses what only the build joins', async () => {
    const {stderr} = await checkProject({licences: 'chalk 5.6.1 (MIT)\n\nMIT License\n'});
    expect(stderr).toContain('chalk@5.6.1: malware');
  });

  it.each([
    {days: 29, flags: [], exitCode: 0, warns: false},
    {days: 32, flags: [], exitCode: 0, warns: true},
    {days: 29, flags: ['--release'], exitCode: 0, warns: false},
    {days: 32, flags: ['--release'], exitCode: 1, warns: true},
  ])('of a list $days days old with $flags', async ({days, flags, ...expected}) => {
    const asOf = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const advisories = JSON.stringify({asOf, advisories: []});
    const {exitCode, stderr} = await checkProject({advisories}, ...flags);
    expect({exitCode, warns: stderr.includes('days old')}).toEqual(expected);
  });

  it.each([
    [1, {}],
    [0, {accepted: 'is never called'}],
  ])('answers %i to a moderate advisory with %j', async (status, reason) => {
    const moderate = {package: 'a', id: 'GHSA-0', severity: 'moderate', affected: '<2', ...reason};
    const advisories = JSON.stringify({asOf: '2026-11-20', advisories: [moderate]});
    const packages = {'node_modules/a': {version: '1.0.0'}};
    expect((await checkProject({packages, advisories})).exitCode).toBe(status);
  });
});
