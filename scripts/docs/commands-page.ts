import type {Command} from '@oclif/core';
import {bullets, fence, page, table} from './markdown.js';

/** The part of oclif.manifest.json that the page shows. */
export interface Manifest {
  readonly commands: Readonly<Record<string, Command.Cached>>;
}

type Flag = Command.Flag.Cached;

/** The page of every command with its arguments, flags and examples, from the manifest of oclif. */
export function commandsPage({commands}: Manifest): string {
  const shown = Object.values(commands)
    .filter(({hidden}) => !hidden)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return page(
    '# Commands',
    'Every command with its arguments, flags and examples, as `paylens help COMMAND` shows them. The [guides](README.md) show the commands at work, and [scripting.md](scripting.md) has the exit codes.',
    bullets(
      shown.map((command) => {
        const [first = ''] = (command.description ?? '').split('\n', 1);
        return `[${nameOf(command)}](#paylens-${command.id.replaceAll(':', '-')}): ${first}`;
      }),
    ),
    '## Flags of every command',
    flagTable(Object.values(shown[0]?.flags ?? {}).filter(isGlobal)),
    ...shown.flatMap(section),
  );
}

function section(command: Command.Cached): string[] {
  const flags = Object.values(command.flags).filter((flag) => !isGlobal(flag) && !flag.hidden);
  const args = Object.values(command.args).map(({name, description = '', required}) => {
    const shown = name.toUpperCase();
    return [`\`${required ? shown : `[${shown}]`}\``, description];
  });
  const examples = (command.examples ?? []).map((text) =>
    String(text)
      .replaceAll('<%= config.bin %>', 'paylens')
      .replaceAll('<%= command.id %>', nameOf(command)),
  );
  return [
    `## paylens ${nameOf(command)}`,
    command.description ?? '',
    args.length === 0 ? '' : table(['argument', 'meaning'], args),
    flags.length === 0 ? '' : flagTable(flags),
    fence('sh', examples.join('\n')),
  ];
}

function nameOf({id}: Command.Cached): string {
  return id.replaceAll(':', ' ');
}

function isGlobal({helpGroup}: Flag): boolean {
  return helpGroup === 'GLOBAL';
}

function flagTable(flags: readonly Flag[]): string {
  const sorted = [...flags].sort((a, b) => (a.name < b.name ? -1 : 1));
  return table(['flag', 'meaning'], sorted.map(flagCells));
}

function flagCells(flag: Flag): string[] {
  const isOption = flag.type === 'option';
  const value = isOption ? ` ${flag.helpValue ?? flag.options?.join('|')}` : '';
  const short = flag.char ? `\`-${flag.char}\`, ` : '';
  const usual = isOption && flag.default !== undefined ? ` [default: ${flag.default}]` : '';
  return [`${short}\`--${flag.name}${value}\``, `${flag.description}${usual}`];
}
