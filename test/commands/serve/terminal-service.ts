import {spawn} from 'node:child_process';
import {BIN} from '../../cli/run-bin.js';

/**
 * Runs `paylens serve --port 0` of the last build on a terminal until `act` is done; returns what
 * was seen there.
 */
export async function servedOnTerminal(
  argv: readonly string[],
  act: (url: string) => Promise<void>,
  columns = 200,
): Promise<string> {
  const words = [process.execPath, BIN, 'serve', '--port', '0', ...argv];
  const command = words.map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns}; exec ${command}`, '/dev/null']);
  let seen = '';
  let acted: Promise<void> | undefined;
  for await (const chunk of child.stdout) {
    seen += String(chunk);
    const url = /https?:\/\/[^\s"]+/.exec(seen)?.[0];
    // Ctrl-C, once all of it is logged.
    if (url) acted ??= act(url).then(() => void setTimeout(() => child.stdin.write('\x03'), 300));
  }
  await acted;
  return seen;
}
