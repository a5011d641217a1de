#!/usr/bin/env node
import {readFileSync} from 'node:fs';
import module from 'node:module';
import {fileURLToPath} from 'node:url';

const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [first] = process.argv.slice(2);
if (['--version', '-v', '-V', 'version'].includes(first)) {
  process.stdout.on('error', async (error) => {
    const {endUnwritten} = await import('../dist/cli/start.js');
    endUnwritten(error);
  });
  const {platform, arch, version} = process;
  process.stdout.write(`${pjson.name}/${pjson.version} ${platform}-${arch} node-${version}\n`);
} else {
  // What packages print for it quotes arguments, and the password of Redis.
  delete process.env.DEBUG;
  module.enableCompileCache?.();
  // Dynamic, so that what it loads is compiled from the cache.
  const {start} = await import('../dist/cli/start.js').catch(({message}) => {
    process.stderr.write(`Error: paylens cannot be started: ${message}\n`);
    process.exit(1);
  });
  await start({root: fileURLToPath(new URL('..', import.meta.url)), pjson});
}
