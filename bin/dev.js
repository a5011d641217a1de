#!/usr/bin/env node
// Runs src as it stands, without a build. The manifest and the pattern in package.json lead to dist,
// so the commands come from the list in src instead.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {register} from 'tsx/esm/api';

delete process.env.DEBUG;
register();
const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
pjson.oclif.commands = {
  strategy: 'explicit',
  target: './src/command-list.ts',
  identifier: 'COMMANDS',
};
const {start} = await import('../src/cli/start.ts');
const root = fileURLToPath(new URL('..', import.meta.url));
await start({root, pjson, ignoreManifest: true});
