import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';

interface Flag {
  readonly name: string;
  readonly description?: string;
  readonly helpValue?: string;
  readonly char?: string;
  readonly multiple?: boolean;
  readonly aliases?: readonly string[];
  readonly deprecated?: object;
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
  Object.values(own)
    .filter(({deprecated}) => !deprecated)
    .map((flag) => ({id, ...flag})),
);

describe('one name for one thing', () => {
  // Names that other tools have made customary, or that are the flag's own subject.
  const PATHS = [
    'init',
    'output',
    'keyfile',
    'devices',
    'junit',
    'ca',
    'config',
    'file',
    'identity',
    // The issue of own terminals and that of the page name them so.
    'terminal',
    'write',
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

/** Commands in a text: their words, up to the end of the shell command. */
function commandsIn(text: string): string[][] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((line) =>
    [...line.matchAll(/\bpaylens ([a-z][^`|;&<>#)]*)/g)].map(([, words = '']) =>
      words.split(/\s+/),
    ),
  );
}

function formerIn(words: readonly string[]): string[] {
  const command = [2, 1]
    .map((count) => manifest.commands[words.slice(0, count).join(':')])
    .find(Boolean);
  if (!command) return [];
  const former = Object.values(command.flags).flatMap((flag) => [
    ...(flag.aliases ?? []),
    ...(flag.deprecated ? [flag.name] : []),
  ]);
  const used = words.filter((word) => former.includes(/^--([\w-]+)/.exec(word)?.[1] ?? ''));
  return used.map((word) => `${command.id} ${word}`);
}

/** Former names that no command has as a name today. */
const GONE = new Set(
  flags
    .flatMap(({aliases = []}) => aliases)
    .filter((alias) => flags.every(({name}) => name !== alias)),
);

function goneIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*[a-z])(?![\w-])/g)]
    .filter(([, name = '']) => GONE.has(name))
    .map(([word]) => word);
}

describe('former names are shown nowhere', () => {
  const listed = execFileSync(
    'git',
    ['ls-files', 'README.md', 'SECURITY.md', 'docs', 'samples', 'deploy'],
    {
      encoding: 'utf8',
    },
  );
  const pages = listed
    .split('\n')
    .filter((file) => /\.(?:md|yaml|service|mjs|json)$|Dockerfile$/.test(file));

  it('has names to look for', () => {
    expect(GONE.size).toBeGreaterThan(15);
    expect(formerIn(['key', 'add', '--name', 'lab'])).toEqual(['key:add --name']);
    expect(commandsIn('$ paylens send device \\\n  --url x | cat').flatMap(formerIn)).toHaveLength(
      1,
    );
    expect(goneIn('`--device`, --devices')).toEqual(['--device']);
  });

  it.each(pages)('in %s', (file) => {
    const text = readFileSync(file, 'utf8');
    expect([...goneIn(text), ...commandsIn(text).flatMap(formerIn)]).toEqual([]);
  });

  it.each(commands)('in the help of $id', ({id, description, examples = [], flags: own, args}) => {
    const words = id.replaceAll(':', ' ');
    const shown = examples
      .map((text) =>
        text.replaceAll('<%= config.bin %>', 'paylens').replaceAll('<%= command.id %>', words),
      )
      .join('\n');
    const texts = [...Object.values(own), ...Object.values(args)].map(
      (each) => each.description ?? '',
    );
    const all = [description, shown, ...texts].join('\n');
    expect([...goneIn(all), ...commandsIn(shown).flatMap(formerIn)]).toEqual([]);
  });

  it('in messages of the code', () => {
    const sources = execFileSync('git', ['ls-files', 'src', 'scripts'], {encoding: 'utf8'})
      .split('\n')
      .filter((file) => /\.(?:ts|mjs)$/.test(file));
    const found = sources.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...goneIn(text), ...commandsIn(text).flatMap(formerIn)].map(
        (name) => `${file}: ${name}`,
      );
    });
    expect(found).toEqual([]);
  });
});
