import {describe, expect, it} from 'vitest';
import {COMMANDS} from '../../src/command-list.js';

const commands = Object.entries(COMMANDS);

describe('every command', () => {
  it.each(commands)('%s says what it does', (_, {description}) => {
    expect(description).toMatch(/^[A-Z].*\.$/m);
  });

  it.each(commands)('%s has examples that begin with its name', (_, {examples = []}) => {
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.join('\n')).toContain('<%= config.bin %> <%= command.id %>');
  });

  it.each(commands)('%s leaves stdin to us', (_, {args}) => {
    expect(Object.values(args ?? {}).every(({ignoreStdin}) => ignoreStdin)).toBe(true);
  });

  it.each(commands)('%s takes no key and no passphrase from an argument', (_, {flags, args}) => {
    const names = Object.keys({...flags, ...args});
    const secret = /^(?:hex|bdk|ik|ipek|secret|password|passphrase|new-passphrase)$/;
    expect(names.filter((name) => secret.test(name))).toEqual([]);
  });
});
