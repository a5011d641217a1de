import {once} from 'node:events';
import {execa} from 'execa';
import {describe, expect, it, onTestFinished} from 'vitest';
import {BIN} from '../../cli/run-bin.js';

/** Keeps a service from ever being ready: it says that it is about to listen, and does not. */
const HOOK = `
  import cluster from 'node:cluster';
  import {Server} from 'node:net';
  const {listen} = Server.prototype;
  Server.prototype.listen = function (...where) {
    if (cluster.isPrimary && process.argv.includes('--workers')) return listen.apply(this, where);
    process.stderr.write('about to listen');
    setInterval(() => {}, 1000);
    return this;
  };`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(HOOK)}`;

describe.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
  '%s',
  (signal) => {
    it.each([
      ['one process', []],
      ['two workers', ['--workers', '2']],
    ])('ends a service of %s that is not ready yet with exit code 0', async (_, flags) => {
      const argv = [BIN, 'serve', '--demo', '--port', '0', ...flags];
      const child = execa(process.execPath, argv, {env: {NODE_OPTIONS}, reject: false});
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      await once(child.stderr, 'data');
      child.kill(signal);
      // Comes when its workers have let go of stderr, too.
      const {exitCode, stdout, stderr} = await child;
      expect([exitCode, stdout]).toEqual([0, '']);
      expect(stderr).toMatch(/^(?:about to listen){1,2}$/);
    });
  },
);
