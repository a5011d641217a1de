import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {testTranscripts} from './docs/transcripts.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

testTranscripts('README.md');

describe('README.md', () => {
  it('begins with the two commands of a newcomer', () => {
    expect([...readme.matchAll(/^npm ci && (.*)$/gm)].map(([, command]) => command)).toEqual([
      'node bin/run.js decrypt samples/idtech-swipe.json --test-keys',
      'npm test',
    ]);
  });
});
