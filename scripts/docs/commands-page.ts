import {bullets, fence, page, table} from './markdown.js';

/** The parts of oclif.manifest.json that the page shows. */
export interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>;
}

interface ManifestCommand {
  readonly id: string;
  readonly description: string;
  readonly examples?: readonly string[];
  readonly hidden?: boolean;
  readonly args: Readonly<Record<string, Argument>>;
  readonly flags: Readonly<Record<string, Flag>>;
}

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

interface Flag {
  readonly name: string;
  readonly char?: string;
  readonly description: string;
  readonly type: 'boolean' | 'option';
  readonly helpGroup?: string;
  readonly helpValue?: string;
  readonly hidden?: boolean;
  readonly multiple?: boolean;
  readonly options?: readonly string[];
  readonly default?: unknown;
}

/** The page of every command with its arguments, flags and examples, from the manifest of oclif. */
export function commandsPage({commands}: Manifest): string {
  const shown = Object.values(commands)
    .filter(({hidden}) => !hidden)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return page(
    '# Commands',
    'Every command with its arguments, flags and examples, as `paylens help COMMAND` shows them. The [guides](README.md) show the commands at work, and [scripting.md](scripting.md) has the exit codes.',
    bullets(
      shown.map((command) => `[${nameOf(command)}](#${anchorOf(command)}): ${first(command)}`),
    ),
    '## Flags of every command',
    flagTable(Object.values(shown[0]?.flags ?? {}).filter(isGlobal)),
    ...shown.flatMap(section),
  );
}

function section(command: ManifestCommand): string[] {
  const flags = Object.values(command.flags).filter((flag) => !isGlobal(flag) && !flag.hidden);
  const args = Object.values(command.args);
  return [
    `## paylens ${nameOf(command)}`,
    command.description,
    args.length === 0 ? '' : table(['argument', 'meaning'], args.map(argumentCells)),
    flags.length === 0 ? '' : flagTable(flags),
    fence('sh', (command.examples ?? []).map((text) => exampleOf(command, text)).join('\n')),
  ];
}

/** An example of the manifest as one types it. */
function exampleOf(command: Pick<ManifestCommand, 'id'>, text: string): string {
  return text
    .replaceAll('<%= config.bin %>', 'paylens')
    .replaceAll('<%= command.id %>', nameOf(command));
}

function nameOf({id}: Pick<ManifestCommand, 'id'>): string {
  return id.replaceAll(':', ' ');
}

function anchorOf(command: ManifestCommand): string {
  return `paylens-${command.id.replaceAll(':', '-')}`;
}

function first({description}: ManifestCommand): string {
  return description.split('\n', 1)[0] ?? '';
}

function isGlobal({helpGroup}: Flag): boolean {
  return helpGroup === 'GLOBAL';
}

function argumentCells({name, description, required}: Argument): string[] {
  const shown = name.toUpperCase();
  return [`\`${required ? shown : `[${shown}]`}\``, description];
}

function flagTable(flags: readonly Flag[]): string {
  const sorted = [...flags].sort((a, b) => (a.name < b.name ? -1 : 1));
  return table(['flag', 'meaning'], sorted.map(flagCells));
}

function flagCells(flag: Flag): string[] {
  const value = flag.type === 'option' ? ` ${flag.helpValue ?? flag.options?.join('|')}` : '';
  const short = flag.char ? `\`-${flag.char}\`, ` : '';
  const fallback =
    flag.default === undefined || flag.type === 'boolean' ? '' : ` [default: ${flag.default}]`;
  return [`${short}\`--${flag.name}${value}\``, `${flag.description}${fallback}`];
}
