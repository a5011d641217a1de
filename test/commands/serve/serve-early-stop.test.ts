import {once} from 'node:events';
import {execa} from 'execa';
import {describe, expect, it, onTestFinished} from 'vitest';
import {BIN} from '../../cli/run-bin.js';

/** Keeps a service from ever being ready: it says that it is about to listen, and does not. */
const HOOK = `
  import {Server} from 'node:net';
  Server.prototype.listen = function () {
    process.stderr.write('about to listen');
    setInterval(() => {}, 1000);
    return this;
  };`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(HOOK)}`;

describe.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
  '%s',
  (signal) => {
    it('ends a service that is not ready yet with exit code 0', async () => {
      const argv = [BIN, 'serve', '--demo', '--port', '0'];
      const child = execa(process.execPath, argv, {env: {NODE_OPTIONS}, reject: false});
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      await once(child.stderr, 'data');
      child.kill(signal);
      const {exitCode, stdout, stderr} = await child;
      expect([exitCode, stdout]).toEqual([0, '']);
      expect(stderr).toBe('about to listen');
    });
  },
);
