#!/usr/bin/env node
import {readFileSync} from 'node:fs';
import module from 'node:module';
import {fileURLToPath} from 'node:url';

module.enableCompileCache?.();
// Dynamic, so that what it loads is compiled from the cache.
const {start} = await import('../dist/cli/start.js');
const root = fileURLToPath(new URL('..', import.meta.url));
const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
await start({root, pjson});
