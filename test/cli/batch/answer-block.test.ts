import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {blockAnswerer} from '../../../src/cli/batch/answer-block.js';
import {testKeys} from '../../../src/engine/dukpt/key-ring.js';

const SWIPE = new URL('../../../samples/idtech-swipe.json', import.meta.url);
const REQUEST = JSON.stringify(JSON.parse(readFileSync(SWIPE, 'utf8')));
/** What the service takes as the body of a request. */
const LONGEST = 65_536;

function answered(block: string | Uint8Array, flags: object = {}) {
  const answer = blockAnswerer({keys: testKeys(), flags: flags as never, draw: 7});
  const {bytes, ...rest} = answer(new Uint8Array(Buffer.from(block as string)));
  const text = Buffer.from(bytes).toString();
  return {
    ...rest,
    text,
    answers: text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

const codesOf = (block: string | Uint8Array) => answered(block).answers.map(({errCode}) => errCode);

describe('a block of lines', () => {
  it('is answered by a line each, whichever line end it has', () => {
    for (const block of [
      `${REQUEST}\n{\n`,
      `${REQUEST}\r\n{\r\n`,
      `${REQUEST}\n{`,
      `${REQUEST}\r\n{`,
    ]) {
      const {text, lines, failures, traces} = answered(block);
      expect(text.endsWith('}\n')).toBe(true);
      expect({lines, failures, traces}).toEqual({lines: 2, failures: {2004: 1}, traces: []});
    }
  });

  it('counts how often each code was the answer', () => {
    const wrong = JSON.stringify({...JSON.parse(REQUEST), ksn: '62994901190000000004'});
    const {lines, failures} = answered(['{', wrong, '{', REQUEST, '{', ''].join('\n'));
    expect({lines, failures}).toEqual({lines: 5, failures: {2004: 3, 2400: 1}});
  });

  it('with a line that is no UTF-8 fails in that line only', () => {
    const [before, after] = `${REQUEST.slice(0, -1)},"reference":"?"}\n`.split('?');
    const broken = Buffer.concat([
      Buffer.from(`${before}`),
      Buffer.of(0xc3),
      Buffer.from(`${after}`),
    ]);
    const bytes = Buffer.concat([Buffer.from(`${REQUEST}\n`), broken, Buffer.from(REQUEST)]);
    expect(codesOf(bytes)).toEqual([undefined, 2004, undefined]);
  });

  it('treats byte order marks alike on the first line and on others', () => {
    for (const marks of ['\uFEFF', '\uFEFF\uFEFF']) {
      const [first, second] = codesOf(`${marks}${REQUEST}\n${marks}${REQUEST}\n`);
      expect(first).toBe(second);
    }
    expect(codesOf(`\uFEFF\uFEFF${REQUEST}`)).toEqual([2004]);
  });

  it.each(['', ' ', '\t  ', '\r'])('answers the blank line %j with 2004', (blank) => {
    expect(codesOf(`${blank}\n${REQUEST}\n`)).toEqual([2004, undefined]);
  });

  it.each([
    ['one byte a character', ' '],
    ['two bytes a character', '\u00a0'],
    ['three bytes a character', '\u3000'],
  ])('takes a line of the longest length and none longer: %s', (_, blank) => {
    const room = LONGEST - Buffer.byteLength(REQUEST) - 8;
    const many = blank.repeat(Math.floor(room / Buffer.byteLength(blank)));
    const padded = (extra: number) => {
      const line = `${REQUEST.slice(0, -1)},"x":"${many}`;
      return `${line}${'y'.repeat(LONGEST + extra - Buffer.byteLength(line) - 2)}"}`;
    };
    expect(codesOf(padded(0))).not.toContain(2006);
    expect(codesOf(padded(1))).toEqual([2006]);
    expect(codesOf(`${padded(0)}\r\n`)).not.toContain(2006);
    expect(codesOf(`${padded(1)}\r\n`)).toEqual([2006]);
  });

  it('echoes the reference of a line where it has one', () => {
    const named = JSON.stringify({...JSON.parse(REQUEST), reference: 'a'});
    const failing = JSON.stringify({...JSON.parse(named), ksn: '62994901190000000004'});
    const {answers} = answered([named, failing, REQUEST].join('\n'));
    expect(answers.map((answer) => answer.reference)).toEqual(['a', 'a', undefined]);
    expect(answers.map((answer) => answer.success)).toEqual([true, false, true]);
  });

  it('answers a defect of ours with code 1 and without its words, and goes on', () => {
    let asked = 0;
    const flags = {
      get reference() {
        asked += 1;
        if (asked === 1) throw new Error('4111111111111111');
        return 'r';
      },
    };
    const {text, answers, failures} = answered(`${REQUEST}\n${REQUEST}\n`, flags);
    expect(failures).toEqual({1: 1});
    expect(answers.map(({success}) => success)).toEqual([false, true]);
    expect(text.split('\n')[0]).not.toContain('41111111');
  });

  it('gives messageIds of its own draw, in order', () => {
    const ids = answered(`${REQUEST}\n`.repeat(3)).answers.map(({messageId}) => messageId);
    expect(ids.every((id) => id.slice(15, 20) === '00007')).toBe(true);
    expect([...new Set(ids)].sort()).toEqual(ids);
  });
});
