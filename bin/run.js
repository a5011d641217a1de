#!/usr/bin/env node
import module from 'node:module';

module.enableCompileCache?.();
// Dynamic, so that what it loads is compiled from the cache.
const {start} = await import('../dist/cli/start.js');
await start({root: import.meta.dirname});
