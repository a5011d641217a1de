import {spawn} from 'node:child_process';

/** Commands that open an address in the browser, by platform. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...argv: string[]]>> = {
  darwin: ['open'],
  // `start` is built into cmd; its first quoted argument is a window title.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens an address of this machine in the browser; false if that fails. */
export function openBrowser(url: string): Promise<boolean> {
  const [command, ...argv] = OPENERS[process.platform] ?? (['xdg-open'] as const);
  return new Promise((resolve) => {
    const child = spawn(command, [...argv, url], {stdio: 'ignore', detached: true});
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
