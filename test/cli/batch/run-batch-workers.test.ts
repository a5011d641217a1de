import {writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {makeAnswerers} from '../../../src/cli/batch/answerers.js';
import {runBatch} from '../../../src/cli/batch/run-batch.js';
import {testKeys} from '../../../src/engine/dukpt/key-ring.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

vi.mock('../../../src/cli/batch/answerers.js', () => ({makeAnswerers: vi.fn()}));

const OPTIONS = {keys: testKeys(), flags: {reference: 'r'}};
const ended: number[] = [];
let stderr = '';

beforeEach(() => {
  ended.length = 0;
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += chunk;
    return true;
  });
  const answer = async (block: Uint8Array) => ({
    bytes: new Uint8Array(block),
    lines: 1,
    failures: {2004: 1},
    firsts: {2004: {at: 0, line: '{'}},
    traces: ['TypeError\n    at first', 'Error\n    at second'],
  });
  const worker = (i: number) => ({
    answer,
    held: () => 0,
    end: async () => {
      ended.push(i);
    },
  });
  vi.mocked(makeAnswerers).mockReturnValue({here: {answer}, workers: [worker(0), worker(1)]});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.mocked(makeAnswerers).mockReset();
});

function oneLine(): string {
  const file = path.join(tempFolder(), 'reads.jsonl');
  writeFileSync(file, '{\n');
  return file;
}

describe('the workers of a batch', () => {
  it.each([
    [7, 7],
    [1, 1],
    [undefined, availableParallelism()],
  ])('are as many as asked for, else as many as cores: %s', async (workers, count) => {
    await runBatch({source: {argument: oneLine()}, workers, ...OPTIONS});
    expect(vi.mocked(makeAnswerers).mock.calls).toEqual([[count, OPTIONS]]);
  });

  it('end with the batch, each once', async () => {
    expect((await runBatch({source: {argument: oneLine()}, ...OPTIONS})).failed).toBe(1);
    expect(ended).toEqual([0, 1]);
  });

  it('end when the input cannot be read', async () => {
    const failing = runBatch({source: {argument: tmpdir()}, ...OPTIONS});
    await expect(failing).rejects.toMatchObject({code: 9002});
    expect(ended).toEqual([0, 1]);
  });

  it('have where their errors come from printed, in order, before the summary', async () => {
    await runBatch({source: {argument: oneLine()}, ...OPTIONS});
    expect(stderr).toMatch(
      /^TypeError\n {4}at first\nError\n {4}at second\n1 line, 1 failed \(2004: 1\); /,
    );
  });
});
