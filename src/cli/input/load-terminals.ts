import {open} from 'node:fs/promises';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {whatWasThrown} from '../../engine/own/guard.js';
import {type OwnTerminalInput, withOwnTerminals} from '../../engine/own/own-terminal.js';
import {systemReason} from '../../files/system-error.js';

/** Milliseconds in which a module must have loaded: it may wait for ever. */
const MAX_LOAD_MS = 10_000;

/**
 * The terminals of paylens and those that modules export, each as default, alone or in an array. The
 * modules run. Throws 9002 for a file that cannot be read, 9040 for a module that does not load or
 * exports anything else.
 */
export async function loadTerminals(
  files: readonly string[],
  maxLoadMs = MAX_LOAD_MS,
): Promise<TerminalSet> {
  const given: OwnTerminalInput[] = [];
  for (const file of new Set(files.map((each) => path.resolve(each))))
    given.push(...(await terminalsIn(file, maxLoadMs)));
  return withOwnTerminals(given, 9040);
}

async function terminalsIn(file: string, maxLoadMs: number): Promise<OwnTerminalInput[]> {
  const where = path.basename(file);
  const handle = await open(file).catch((error: unknown) => {
    throw new PaylensError(9002, `--terminal ${where}: ${systemReason(error)}`);
  });
  await handle.close();
  const value = defaultOf(await load(file, where, maxLoadMs), where);
  if (!Array.isArray(value)) return [{value, where}];
  if (value.length === 0) throw new PaylensError(9040, `${where}: exports no terminal`);
  return Array.from(value, (one: unknown, i) => ({value: one, where: `${where}[${i}]`}));
}

async function load(file: string, where: string, maxLoadMs: number): Promise<object> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new PaylensError(9040, `${where}: did not load in ${maxLoadMs / 1000} s`);
    timer = setTimeout(() => reject(error), maxLoadMs);
  });
  const loading = import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new PaylensError(9040, `${where}: cannot be loaded: ${whatWasThrown(error)}`, LOAD_HINT);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

const LOAD_HINT = {
  hint: 'Run the file with `node` to see what is wrong. What it imports must be installed beside it.',
};

function defaultOf(module: object, where: string): unknown {
  if ('default' in module && module.default !== undefined) return module.default;
  throw new PaylensError(9040, `${where}: has no default export`, {
    hint: 'Export the terminal, or an array of them: `export default {type: ...}`.',
  });
}
