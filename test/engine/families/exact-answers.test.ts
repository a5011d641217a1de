import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {type ExactCase, exactContent, exactRead} from './exact-answer.js';

/** Payloads, most of them odd or damaged, with everything that is read in each. */
const FOLDER = new URL('../../vectors/exact/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

describe.each(FILES)('%s', (file) => {
  const cases: ExactCase[] = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

  it.each(cases.map((each, number) => ({...each, number})))(
    '$type, payload $number, is read exactly',
    ({type, payload, read, parts}) => {
      expect(exactRead(type, payload)).toStrictEqual({read, parts});
    },
  );

  it.each(
    cases.flatMap(({type, payload, opens = []}) =>
      opens.map(({plain, content}, number) => ({type, payload, plain, content, number})),
    ),
  )('$type, plaintext $number, opens exactly', ({type, payload, plain, content}) => {
    expect(exactContent(type, payload, plain)).toStrictEqual(content);
  });
});
