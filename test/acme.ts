import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Terminal} from '../src/index.js';
import {fencesOf} from './docs/fences.js';
import {encrypt} from './engine/terminal.js';

const page = readFileSync(new URL('../docs/own-terminal.md', import.meta.url), 'utf8');

/** The module that docs/own-terminal.md shows. */
export const ACME_MODULE = fencesOf(page).find(({file}) => file === 'acme.mjs')?.text ?? '';

/** A file with the text of a module, in a folder of its own. */
export function moduleFile(text: string, name = 'mine.mjs'): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'paylens-own-')), name);
  writeFileSync(file, text);
  return file;
}

/** The terminal of that page. */
export async function acme(): Promise<Terminal> {
  const {default: terminal} = await import(
    /* @vite-ignore */ pathToFileURL(moduleFile(ACME_MODULE)).href
  );
  return terminal;
}

export const KSN = 'FFFF9876543210E00008';
export const TRACK_2 = ';4111111111111111=29121011234567890?';

interface Frame {
  readonly ksn?: string;
  readonly track?: string;
  readonly masked?: string;
  readonly bdk?: string;
}

/** A payload of it by the description of the page and node:crypto, without code of paylens. */
export function acmeFrame({
  ksn = KSN,
  track = TRACK_2,
  masked = '411111******1111',
  bdk,
}: Frame = {}) {
  const cipher = encrypt(track, {ksn, ...(bdk ? {bdk} : {})});
  const body = Buffer.concat([
    Buffer.from(ksn, 'hex'),
    Buffer.from([masked.length]),
    Buffer.from(masked),
    cipher,
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  const covered = Buffer.concat([length, body]);
  const lrc = covered.reduce((sum, byte) => sum ^ byte, 0);
  return Buffer.from([...Buffer.from('M1'), ...covered, lrc])
    .toString('hex')
    .toUpperCase();
}
