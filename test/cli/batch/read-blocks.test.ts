import {describe, expect, it} from 'vitest';
import {MAX_LINE_BYTES, readBlocks} from '../../../src/cli/batch/read-blocks.js';

async function* stream(chunks: readonly string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function blocksOf(...chunks: string[]): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of readBlocks(stream(chunks))) blocks.push(Buffer.from(block).toString());
  return blocks;
}

describe('readBlocks', () => {
  it('gives whole lines as soon as they are there', async () => {
    expect(await blocksOf('a\nb\nc', 'd\n')).toStrictEqual(['a\nb\n', 'cd\n']);
  });

  it('gives the same lines wherever the stream is cut', async () => {
    const text = 'first\nsecond\n\nfourth';
    for (let at = 0; at <= text.length; at++) {
      const blocks = await blocksOf(text.slice(0, at), text.slice(at));
      expect(blocks.join('')).toBe(text);
      expect(blocks.slice(0, -1).every((block) => block.endsWith('\n'))).toBe(true);
    }
  });

  it('gives a last line without a line break', async () => {
    expect(await blocksOf('a\nb')).toStrictEqual(['a\n', 'b']);
  });

  it('leaves out one byte order mark in front of all, wherever the stream is cut', async () => {
    const lines = '\uFEFFa\n\uFEFFb\n';
    const bytes = Buffer.from(`\uFEFF${lines}`);
    for (let at = 0; at <= bytes.length; at++) {
      const parts = async function* () {
        yield* [bytes.subarray(0, at), bytes.subarray(at)];
      };
      const blocks: Uint8Array[] = [];
      for await (const block of readBlocks(parts())) blocks.push(block);
      expect(Buffer.concat(blocks).toString()).toBe(lines);
    }
    expect(await blocksOf('\uFEFF')).toStrictEqual([]);
    expect(await blocksOf('ab')).toStrictEqual(['ab']);
  });

  it.each([
    ['with its mark', '\uFEFF{"a":1}\n'],
    ['without one', '{"a":1}\n'],
  ])('refuses UTF-16 %s', async (_, text) => {
    const bytes = [Buffer.from(text, 'utf16le')];
    const blocks = readBlocks(
      (async function* () {
        yield* bytes;
      })(),
    );
    await expect(blocks.next()).rejects.toMatchObject({code: 9002, detail: 'the file is UTF-16'});
  });

  it('gives nothing for nothing', async () => {
    expect(await blocksOf('')).toStrictEqual([]);
  });

  it('keeps of a line that is too long one byte more than allowed', async () => {
    const long = 'x'.repeat(3 * MAX_LINE_BYTES);
    const halves = [long.slice(0, MAX_LINE_BYTES), long.slice(MAX_LINE_BYTES)];
    for (const chunks of [[`${long}\nnext\n`], [...halves, '\nnext\n'], [long, 'y\nnext\n']]) {
      const [kept, next] = (await blocksOf(...chunks)).join('').split('\n');
      expect({length: kept?.length, next}).toStrictEqual({
        length: MAX_LINE_BYTES + 1,
        next: 'next',
      });
    }
  });

  it('keeps a line of exactly the longest length whole', async () => {
    const [line = ''] = (await blocksOf(`${'x'.repeat(MAX_LINE_BYTES)}\n`)).join('').split('\n');
    expect(line).toHaveLength(MAX_LINE_BYTES);
  });

  it.each([-1, 0, 1, 2])('keeps what may be kept of %i bytes over the limit', async (over) => {
    const line = Array.from({length: MAX_LINE_BYTES + over}, (_, i) => i % 10).join('');
    const expected = `${line.slice(0, MAX_LINE_BYTES + 1)}\nnext\n\n`;
    for (const at of [0, 1, MAX_LINE_BYTES - 1, MAX_LINE_BYTES, MAX_LINE_BYTES + over]) {
      const blocks = await blocksOf(line.slice(0, at), `${line.slice(at)}\nnext\n\n`);
      expect(blocks).toStrictEqual([expected]);
    }
    expect(await blocksOf(`a\n${line}`)).toStrictEqual(['a\n', line.slice(0, MAX_LINE_BYTES + 1)]);
  });

  it('shares no memory between blocks, so that each can be transferred', async () => {
    const buffers: ArrayBufferLike[] = [];
    for await (const block of readBlocks(stream(['a\nb\n', 'c\n']))) buffers.push(block.buffer);
    expect(buffers.map(({byteLength}) => byteLength)).toStrictEqual([4, 2]);
  });
});
