import {open} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import {whatWasThrown} from '../../engine/own/guard.js';
import {type Given, withOwnTerminals} from '../../engine/own/own-terminal.js';
import {systemReason} from '../../files/system-error.js';

/** Milliseconds in which a module must have loaded: it may wait for ever. */
const LONGEST_LOAD = 10_000;

/**
 * The terminals of paylens and those that modules export, each as default, alone or in an array. The
 * modules run. Throws 9002 for a file that cannot be read, 9040 for a module that does not load or
 * exports anything else.
 */
export async function loadTerminals(
  files: readonly string[],
  longestLoad = LONGEST_LOAD,
): Promise<TerminalSet> {
  const given: Given[] = [];
  for (const file of new Set(files.map((each) => path.resolve(each))))
    given.push(...(await terminalsIn(file, longestLoad)));
  return withOwnTerminals(given, 9040);
}

async function terminalsIn(file: string, longestLoad: number): Promise<Given[]> {
  const where = path.basename(file);
  await demandReadable(file, where);
  const value = defaultOf(await load(file, where, longestLoad), where);
  if (!Array.isArray(value)) return [{value, where}];
  if (value.length === 0) throw new PaylensError(9040, `${where}: exports no terminal`);
  return Array.from(value, (one: unknown, i) => ({value: one, where: `${where}[${i}]`}));
}

async function demandReadable(file: string, where: string): Promise<void> {
  try {
    const handle = await open(file);
    await handle.close();
  } catch (error) {
    throw new PaylensError(9002, `--terminal ${where}: ${systemReason(error)}`);
  }
}

async function load(file: string, where: string, longestLoad: number): Promise<object> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new PaylensError(9040, `${where}: did not load in ${longestLoad / 1000} s`);
    timer = setTimeout(() => reject(error), longestLoad);
  });
  try {
    return await Promise.race([importOf(file, where), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function importOf(file: string, where: string): Promise<object> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new PaylensError(9040, `${where}: cannot be loaded: ${whatWasThrown(error)}`, HINT);
  }
}

const HINT = {
  hint: 'Run the file with `node` to see what is wrong. What it imports must be installed beside it.',
};

function defaultOf(module: object, where: string): unknown {
  if ('default' in module && module.default !== undefined) return module.default;
  throw new PaylensError(9040, `${where}: has no default export`, {
    hint: 'Export the terminal, or an array of them: `export default {type: ...}`.',
  });
}
