import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {runBatch} from '../../../src/cli/batch/run-batch.js';
import {testKeys} from '../../../src/engine/dukpt/key-ring.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

/** What was written, in order: the number of lines on stdout, or the text on stderr. */
let written: (number | string)[] = [];
let now = 0;
/** Whether stdout takes more at once. */
let takesMore = true;
const wasTerminal = process.stderr.isTTY;

beforeEach(() => {
  written = [];
  now = 5000;
  takesMore = true;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(
      Buffer.from(chunk as Uint8Array)
        .toString()
        .split('\n').length - 1,
    );
    now += 60;
    return takesMore;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = wasTerminal;
});

/** Nine lines that fail, of 60,001 bytes each: three reads of 256 KiB hold 4, 8 and 9 of them. */
function nineLines(): string {
  const file = path.join(tempFolder(), 'reads.jsonl');
  writeFileSync(file, `{${'x'.repeat(59_999)}\n`.repeat(9));
  return file;
}

const batch = (argument: string) =>
  runBatch({source: {argument}, keys: testKeys(), flags: {}, workers: 1});
const SUMMARY = '9 lines, 9 failed (2004: 9); 0.2 s, 50 lines/s\n';
const CLEARED = '\r\u001b[K';

describe('runBatch', () => {
  it('shows on a terminal how far it is after the answers it counts, then clears that away', async () => {
    process.stderr.isTTY = true;
    expect((await batch(nineLines())).failed).toBe(9);
    expect(written).toEqual([
      4,
      `${CLEARED}44 %  4 lines, 4 failed`,
      // 60 ms after the last: too soon.
      4,
      1,
      `${CLEARED}100 %  9 lines, 9 failed`,
      CLEARED,
      SUMMARY,
    ]);
  });

  it('writes only the summary where stderr is no terminal', async () => {
    process.stderr.isTTY = false;
    await batch(nineLines());
    expect(written).toEqual([4, 4, 1, SUMMARY]);
  });

  it('clears the progress away, and sums nothing up, when the input cannot be read', async () => {
    process.stderr.isTTY = true;
    await expect(batch(tmpdir())).rejects.toMatchObject({code: 9002});
    expect(written).toEqual([CLEARED]);
  });

  it('waits while the reader of stdout is behind', async () => {
    process.stderr.isTTY = false;
    takesMore = false;
    const ended = batch(nineLines());
    const waitsAfter = async (blocks: number) => {
      while (written.length < blocks || process.stdout.listenerCount('drain') === 0)
        await setImmediate();
      for (let turns = 0; turns < 50; turns++) await setImmediate();
      expect(written).toHaveLength(blocks);
      process.stdout.emit('drain');
    };
    for (const blocks of [1, 2, 3]) await waitsAfter(blocks);
    expect((await ended).failed).toBe(9);
    expect(written).toEqual([4, 4, 1, SUMMARY]);
  });
});
