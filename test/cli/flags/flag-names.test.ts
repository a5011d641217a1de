import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';

interface Flag {
  readonly name: string;
  readonly description?: string;
  readonly helpValue?: string;
  readonly char?: string;
  readonly multiple?: boolean;
  readonly default?: unknown;
}

interface Listed {
  readonly id: string;
  readonly args: Readonly<Record<string, Flag>>;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly description: string;
  readonly examples?: readonly string[];
}

const manifest: {commands: Record<string, Listed>} = JSON.parse(
  readFileSync('oclif.manifest.json', 'utf8'),
);
const commands = Object.values(manifest.commands);
const flags = commands.flatMap(({id, flags: own}) =>
  Object.values(own).map((flag) => ({id, ...flag})),
);

describe('one name for one thing', () => {
  it('no command or flag has another name, or is hidden', () => {
    const others = ['aliases', 'hiddenAliases', 'charAliases', 'deprecated', 'deprecateAliases'];
    for (const each of [...commands, ...flags] as Readonly<Record<string, unknown>>[]) {
      for (const name of others) expect(each[name] ?? []).toEqual([]);
      expect(each.hidden ?? false).toBe(false);
    }
  });

  // Names that other tools have made customary, or that are the flag's own subject.
  const PATHS = [
    'output',
    'keyfile',
    'devices',
    'junit',
    'config',
    'file',
    'identity',
    // What is done with the file.
    'terminal',
    'write',
    'save',
    'record',
    'replay',
  ];
  const RSA = ['rsa-private-key', 'rsa-public-key'];

  it('flags that take a path end in -file', () => {
    const others = flags.filter(
      ({helpValue, name}) => helpValue === 'FILE' && !/-file$/.test(name),
    );
    expect(
      others.map(({name}) => name).filter((name) => ![...PATHS, ...RSA].includes(name)),
    ).toEqual([]);
  });

  it('a flag has the same kind of value in every command', () => {
    for (const {name, helpValue, id} of flags) {
      const same = flags.find((flag) => flag.name === name);
      expect([id, name, helpValue]).toEqual([id, name, same?.helpValue]);
    }
  });

  it('a flag that may be repeated says so, and no other', () => {
    const args = commands.flatMap(({args: own}) => Object.values(own));
    for (const {name, description = '', multiple = false} of [...flags, ...args]) {
      expect([name, /\(repeatable\)/.test(description)]).toEqual([name, multiple]);
      expect(description).not.toMatch(/several times|repeat for|give one for each/);
    }
  });

  it('a constant default stands in brackets, not in the text', () => {
    for (const {name, description = '', default: fallback} of flags) {
      expect(`${name}: ${description}`).not.toMatch(/\(default|if absent|default: \d+$/);
      if (fallback !== undefined) expect(description).not.toMatch(/default:/);
    }
  });

  it('times have a unit: durations of their own, points in time as UNIX_TIME', () => {
    for (const {description = '', helpValue = ''} of flags) {
      expect(helpValue).not.toMatch(/^(?:MS|S|SECONDS|EPOCH)$/);
      if (/seconds/.test(description)) expect(helpValue).toBe('UNIX_TIME');
    }
    const durations = flags.filter(({helpValue}) => helpValue === 'DURATION');
    expect(durations.length).toBeGreaterThan(4);
    for (const flag of durations) expect(String(flag.default ?? '1s')).toMatch(/^\d+(?:ms|s|m)$/);
  });

  it('short flags are those of the most used, in every command that has them', () => {
    const SHORT = {
      json: 'j',
      quiet: 'q',
      keyfile: 'k',
      partner: 'p',
      'test-keys': 't',
      'device-type': 'd',
    };
    for (const {id, name, char} of flags) {
      expect([id, name, char]).toEqual([id, name, (SHORT as Record<string, string>)[name]]);
    }
  });

  it('words of arguments are separated by _', () => {
    const names = commands.flatMap(({args}) => Object.keys(args));
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual([]);
  });
});
