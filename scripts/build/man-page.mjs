/**
 * The manual page of paylens, in roff (man(7)), from oclif.manifest.json, package.json, the exit codes
 * of docs/scripting.md and the date of the last release in CHANGELOG.md.
 */
export function manPage({manifest, pjson, scripting, changelog}) {
  const commands = Object.values(manifest.commands)
    .filter(({hidden}) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first] = commands;
  const globals = Object.values(first?.flags ?? {}).filter(isGlobal);
  return [
    `.TH PAYLENS 1 "${releaseDate(changelog)}" "paylens ${pjson.version}" "User Commands"`,
    '.SH NAME',
    `paylens \\- ${text(pjson.description)}`,
    '.SH SYNOPSIS',
    '.B paylens',
    '.I COMMAND',
    '[\\fIARGUMENT\\fR]... [\\fIFLAG\\fR]...',
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH FLAGS OF EVERY COMMAND',
    ...globals.flatMap(flagItem),
    '.SH EXIT STATUS',
    ...exitCodes(scripting).flatMap(([code, meaning]) => item(`\\fB${code}\\fR`, meaning)),
    '.SH SEE ALSO',
    'paylens help \\fICOMMAND\\fR, and the guides in the docs directory of the package.',
    '',
  ].join('\n');
}

/** So that the same sources always make the same page. */
function releaseDate(changelog) {
  return /^## \[\d\S* - (\d{4}-\d\d-\d\d)/m.exec(changelog)?.[1] ?? '';
}

function section({id, description, args, flags, examples = []}) {
  const name = `paylens ${id.replaceAll(':', ' ')}`;
  const own = Object.values(flags).filter((flag) => !flag.hidden && !isGlobal(flag));
  const shown = examples.map((example) =>
    example
      .replaceAll('<%= config.bin %>', 'paylens')
      .replaceAll('<%= command.id %>', id.replaceAll(':', ' ')),
  );
  return [
    `.SS "${text(name)}${Object.values(args).map(argument).join('')}"`,
    ...description.split(/\n+/).map(text).join('\n.PP\n').split('\n'),
    ...Object.values(args).flatMap((arg) =>
      item(`\\fI${text(arg.name.toUpperCase())}\\fR`, arg.description),
    ),
    ...own.sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap(flagItem),
    ...(shown.length === 0
      ? []
      : ['.PP', 'Examples:', '.RS', '.nf', ...shown.map(text), '.fi', '.RE']),
  ];
}

function argument({name, required, multiple}) {
  const shown = `${text(name.toUpperCase())}${multiple ? '...' : ''}`;
  return required ? ` ${shown}` : ` [${shown}]`;
}

function flagItem({name, char, type, helpValue, options, description, default: fallback}) {
  const value =
    type === 'option' ? ` \\fI${text(helpValue ?? options?.join('|') ?? 'VALUE')}\\fR` : '';
  const short = char ? `\\fB\\-${char}\\fR, ` : '';
  const constant = fallback === undefined || type === 'boolean' ? '' : ` [default: ${fallback}]`;
  return item(`${short}\\fB${text(`--${name}`)}\\fR${value}`, `${description}${constant}`);
}

function item(head, body) {
  return ['.TP', head, text(body)];
}

function isGlobal({helpGroup}) {
  return helpGroup === 'GLOBAL';
}

function exitCodes(page) {
  const [, table = ''] = /^\| exit code \|.*\n\|-.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(2, -2).split(' | '));
}

/** A line of text: no request of roff, and hyphens that can be copied. */
function text(line) {
  const escaped = line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return escaped.replace(/^[.']/, '\\&$&');
}
