import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';

const BIN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));

test('a service whose log is not read drops lines, and ends at SIGTERM', async () => {
  const child = spawn(process.execPath, [BIN, 'serve', '--mock', '--port', '0', '--log', 'json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [line] = await once(createInterface({input: child.stdout}), 'line');
  const {url} = JSON.parse(line);
  const send = () => fetch(`${url}/api/v1/nothing`, {method: 'POST', body: '{}'});
  const dropped = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^paylens_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
  };
  for (let round = 0; (await dropped()) === 0; round++) {
    if (round > 200) throw new Error('nothing was dropped');
    await Promise.all(Array.from({length: 200}, send));
  }
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual([0, null]);
});
