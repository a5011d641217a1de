/** The manual page of paylens, in roff (man(7)), from oclif.manifest.json and package.json. */
export function manPage({commands}, {version, description}) {
  const shown = Object.values(commands).sort((a, b) => (a.id < b.id ? -1 : 1));
  return [
    `.TH PAYLENS 1 "" "paylens ${version}" "User Commands"`,
    '.SH NAME',
    `paylens \\- ${text(description)}`,
    '.SH SYNOPSIS',
    '.B paylens',
    '.I COMMAND',
    '[\\fIARGUMENT\\fR]... [\\fIFLAG\\fR]...',
    '.SH COMMANDS',
    ...shown.flatMap(section),
    '.SH FLAGS OF EVERY COMMAND',
    ...Object.values(shown[0].flags).filter(isGlobal).flatMap(flagItem),
    '.SH EXIT STATUS',
    'See \\fBpaylens help exit\\-codes\\fR, and \\fBpaylens help variables\\fR for the environment.',
    '',
  ].join('\n');
}

function section({id, description, args, flags}) {
  const words = Object.values(args).map(({name, required}) => {
    return required ? ` ${name.toUpperCase()}` : ` [${name.toUpperCase()}]`;
  });
  return [
    `.SS "${text(`paylens ${id.replaceAll(':', ' ')}${words.join('')}`)}"`,
    ...description.split(/\n+/).map(text).join('\n.PP\n').split('\n'),
    ...Object.values(args).flatMap(({name, description: about}) =>
      item(`\\fI${text(name.toUpperCase())}\\fR`, about),
    ),
    ...Object.values(flags)
      .filter((flag) => !isGlobal(flag))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(flagItem),
  ];
}

function flagItem({name, char, type, helpValue, options, description}) {
  const form = text(helpValue ?? options?.join('|') ?? 'VALUE');
  const value = type === 'option' ? ` \\fI${form}\\fR` : '';
  return item(
    `${char ? `\\fB\\-${char}\\fR, ` : ''}\\fB${text(`--${name}`)}\\fR${value}`,
    description,
  );
}

function item(head, body) {
  return ['.TP', head, text(body)];
}

function isGlobal({helpGroup}) {
  return helpGroup === 'GLOBAL';
}

/** A line of text: no request of roff, and hyphens that can be copied. */
function text(line) {
  const escaped = line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return escaped.replace(/^[.']/, '\\&$&');
}
