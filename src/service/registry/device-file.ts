import {mkdir, readFile, realpath} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemCode, systemReason} from '../../files/system-error.js';
import {notSaved, writeDurably} from '../../files/write-durably.js';
import {withWriterLock} from '../../files/writer-lock.js';
import {type DeviceLine, isSchemaLine, parseDeviceLine} from './device-line.js';
import {DeviceRegistry} from './device-registry.js';

/** Path of the devices file. A file named by the user must exist; the default file need not. */
export interface DeviceFilePath {
  readonly path: string;
  readonly mayBeMissing: boolean;
}

/** Lines read before other work of the process gets its turn. */
const STRETCH = 2_000;

/** The content of a devices file: its lines in their order, and the registry of their devices. */
export interface DeviceFile {
  /** The first line, where it only names the JSON Schema. */
  readonly head?: string;
  readonly lines: readonly DeviceLine[];
  readonly registry: DeviceRegistry;
}

/**
 * Reads a devices file: UTF-8 JSONL, one device per line, no secrets. Throws 9002 when it cannot be
 * read, for the first line that is not a device, and for one that repeats a device.
 */
export async function readDeviceFile(file: DeviceFilePath): Promise<DeviceFile> {
  const lines: DeviceLine[] = [];
  const registry = new DeviceRegistry();
  let number = 0;
  let head: string | undefined;
  for (const text of (await fileContent(file)).split('\n')) {
    number++;
    if (number % STRETCH === 0) await nextTurn();
    if (text.trim() === '') continue;
    if (number === 1 && isSchemaLine(text)) {
      head = text;
      continue;
    }
    const where = `${file.path} line ${number}`;
    const line = parseDeviceLine(text, where);
    if (registry.add(line.device))
      throw new PaylensError(9002, `${where}: duplicates the device on an earlier line`, {
        hint: 'Partner, serial number and client together must be unique.',
      });
    lines.push(line);
  }
  return {...(head === undefined ? {} : {head}), lines, registry};
}

/**
 * Reads the devices, lets `change` make the new lines, and saves them in one step, under one
 * writer's lock from the first read to the last. If anything fails, the file stays unchanged. Throws
 * what reading throws, and 9014 when it is locked or cannot be saved.
 */
export async function updateDeviceFile(
  file: DeviceFilePath,
  change: (content: DeviceFile) => readonly DeviceLine[] | Promise<readonly DeviceLine[]>,
): Promise<void> {
  const path = await realPath(file.path);
  await withWriterLock(path, async () => {
    const before = await readDeviceFile({...file, path});
    const lines = (await change(before)).map((line) => line.text);
    const text = `${[...(before.head === undefined ? [] : [before.head]), ...lines].join('\n')}\n`;
    await writeDurably(path, Buffer.from(text), {keepMode: true});
  });
}

async function fileContent({path, mayBeMissing}: DeviceFilePath): Promise<string> {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(await readFile(path));
  } catch (error) {
    if (mayBeMissing && systemCode(error) === 'ENOENT') return '';
    const why = error instanceof TypeError ? 'expected UTF-8' : systemReason(error);
    throw new PaylensError(9002, `devices file ${path}: ${why}`);
  }
}

/** The path without symbolic links, so that a save replaces the file and not a link to it. */
async function realPath(path: string): Promise<string> {
  try {
    await mkdir(dirname(path), {recursive: true, mode: 0o700});
    const there = await realpath(path).catch(() => undefined);
    return there ?? join(await realpath(dirname(path)), basename(path));
  } catch (error) {
    throw notSaved(path, error);
  }
}
