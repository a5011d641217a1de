import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {testTranscripts} from './docs/transcripts.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const manifest = JSON.parse(
  readFileSync(new URL('../oclif.manifest.json', import.meta.url), 'utf8'),
);

testTranscripts('README.md');

describe('README.md', () => {
  it('begins with the two commands of a newcomer', () => {
    expect([...readme.matchAll(/^npm ci && (.*)$/gm)].map(([, command]) => command)).toEqual([
      'node bin/run.js decrypt samples/idtech-swipe.json --test-keys',
      'npm test',
    ]);
  });

  it('is read in a few minutes: 200 lines, 8 KB', () => {
    expect(readme.split('\n').length - 1).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });

  it('has a first screen that fits 80 columns', () => {
    const screen = readme.split('\n').slice(0, 40);
    expect(screen.filter((line) => line.length > 80)).toEqual([]);
  });

  it('has its sections in the order in which a newcomer needs them', () => {
    expect([...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Install',
      '60 seconds',
      'Decrypt your own payload',
      'It does not decrypt',
      'Test your client',
      'In your test suite',
      'Commands',
      'Security',
      'More',
    ]);
  });

  it('has every command or topic in its table', () => {
    const [, table = ''] = /^\| command \|.*\n((?:\|.*\n)+)/m.exec(readme) ?? [];
    const named = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const topics = Object.keys(manifest.commands).map((id) => id.split(':', 1)[0]);
    expect(named.sort()).toEqual([...new Set(topics)].sort());
  });
});
