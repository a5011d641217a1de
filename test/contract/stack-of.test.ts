import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {defectFields, stackOf} from '../../src/contract/stack-of.js';

const SECRET = '0123456789ABCDEFFEDCBA9876543210';
const PAN = '4111111111111111';

/** An error with a stack of the form that V8 writes. */
function errorWith(frames: readonly string[], message = '', name = 'TypeError'): Error {
  const error = Object.assign(new Error(message), {name});
  error.stack = [`${name}: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

describe('the stack of an error', () => {
  it('names functions and places in files of packages', () => {
    const frames = [
      'readFrame (file:///home/ann/paylens/dist/chunks/chunk-ABCD2345.js:12:34)',
      'new Digits (/usr/lib/node_modules/paylens/dist/index.js:1:2)',
      'async Command.run (file:///x/node_modules/@oclif/core/lib/command.js:7:8)',
      'async file:///x/bin/run.js:28:3',
      'process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      'Map.get [as look] (C:\\Users\\ann\\paylens\\dist\\cli\\start.js:3:4)',
    ];
    expect(stackOf(errorWith(frames))).toBe(
      `TypeError
    at readFrame (dist/chunks/chunk-ABCD2345.js:12:34)
    at new Digits (dist/index.js:1:2)
    at Command.run (node_modules/@oclif/core/lib/command.js:7:8)
    at <anonymous> (bin/run.js:28:3)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at Map.get (dist\\cli\\start.js:3:4)`,
    );
  });

  it.each<[string, Error]>([
    ['its message', errorWith(['f (/x/src/a.ts:1:2)'], `BDK ${SECRET}, ${PAN}`)],
    [
      'frames in its message',
      errorWith(['f (/x/src/a.ts:1:2)'], `a\n    at f${SECRET} (/x/src/${PAN}.ts:1:2)`),
    ],
    [
      'a message that was changed',
      Object.assign(errorWith(['f (/x/src/a.ts:1:2)'], SECRET), {message: 'other'}),
    ],
    ['the name of a function', errorWith([`Object.${SECRET} (/x/src/a.ts:1:2)`])],
    ['another name of a function', errorWith([`Object.f [as ${SECRET}] (/x/src/a.ts:1:2)`])],
    ['the name of a file', errorWith([`f (/x/src/${PAN}.ts:1:2)`])],
    ['a folder outside', errorWith([`f (/home/${SECRET}/${PAN}/a.ts:1:2)`])],
    [
      'code given as an argument',
      errorWith([`f (data:text/javascript,${SECRET}:1:2)`, `eval at ${SECRET} (a:1:2)`]),
    ],
    ['its kind', errorWith(['f (/x/src/a.ts:1:2)'], '', `E${SECRET}`)],
    ['its code', Object.assign(errorWith(['f (/x/src/a.ts:1:2)']), {code: SECRET})],
    ['its cause', new Error('a', {cause: errorWith([`${PAN} (/x/src/a.ts:1:2)`], SECRET)})],
  ])('holds no value of %s', (_, error) => {
    expect(stackOf(error)).not.toMatch(/4111|0123|CDEF/);
    expect(JSON.stringify(defectFields(error))).not.toMatch(/4111|CDEF/);
  });

  it('follows causes, but not for ever', () => {
    const error = errorWith(['f (/x/src/a.ts:1:2)'], 'a');
    error.cause = error;
    expect(stackOf(error).match(/caused by/g)).toHaveLength(4);
  });

  it('is empty for what is no error', () => {
    expect([stackOf('text'), stackOf(undefined), defectFields('text')]).toEqual([
      '',
      '',
      {defect: 'string'},
    ]);
  });

  it('is kept by a defect, and by no other error unless it is asked for', () => {
    expect(stackOf(new PaylensError(1))).toMatch(/^PaylensError 1\n {4}at .*\(test\/contract\//);
    expect(stackOf(new PaylensError(2101))).toBe('');
  });
});
