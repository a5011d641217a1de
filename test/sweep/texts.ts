/** What is repeated: structural characters of the formats, their beginnings, and plain content. */
const UNITS: readonly string[] = [
  // Tracks, members, JSON and XML
  ...['%B', ';', '?', '^', '{', '}', '[', ']', '{}', '[]', '}{', '"', '""', '\\', '\\"', '\\\\'],
  ...['=', ',', ':', '|', '&', '_', '-', '.', '/', '#', '~', '*', '+', '$', '@', '!', '(', ')'],
  ...['{"a":', '{"a":{}}', '"a":', '"",', '"a",', '[{', '[[', '[1,', '{"a":1},', 'null,', '1,'],
  ...['<', '>', '<a>', '</a>', '<a', '<a a="', '<!--', '-->', '<![CDATA[', '<?', '&', '&#', '&lt;'],
  // Blanks
  ...[
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\r',
    '\n ',
    ' \n',
    '\n\n ',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\v',
    '\0',
  ],
  // Escapes and quotes
  ...[
    '%',
    '%25',
    '%2',
    '0x',
    '0x00,',
    '0x00 ',
    '\\x',
    '\\x00',
    '\\u00',
    '\\u0030',
    '\\u{',
    '&#48;',
  ],
  ...['=3D', '=\n', "'", "$'", "'\\''", '\\\n', '^"', '`', "\\'", '$(', '"\\', 'u+0030', '\\0'],
  // Hex, base64 and digits
  ...[
    '4',
    '41',
    '4 ',
    '41 ',
    '41:',
    '41-',
    '41,',
    '0',
    '00',
    '00 ',
    '0000 ',
    'FF',
    'ff',
    'F',
    '80',
  ],
  ...['34', '3334', '4111', '4111 1111 ', '4111-', '1.', '12, ', '-1,', '01010101 ', '1 ', '12h,'],
  ...[
    'QUJD',
    'QUJD\n',
    'A',
    'a',
    'A=',
    'A==',
    'AQ',
    'zz',
    'QQ== ',
    'é',
    '１',
    '٤',
    '𝟒',
    '八',
    'O0',
  ],
  ...[
    '00000000: 41\n',
    '0000000 41 ',
    '10: ',
    '2026-01-01 00:00:00 ',
    '127.0.0.1 ',
    'AAAA-',
    '?41',
  ],
  // Control characters of frames
  ...['\x02', '\x03', '\x1c', '\x1d', '\x1c1', '\x02\x03', '[FS]', '<FS>', '[STX]', '\x06', '\x7f'],
  ...['02', '0203', '1C', '1C31', '06', '0203FF', '\xff', '\x80', '\xe1\x80', '\xdf\xdf'],
  // TLV: empty, indefinite, nested, huge
  ...[
    'E1',
    'E180',
    'E100',
    'E17F',
    'E183007FFC',
    'E184FFFFFFFF',
    'DFDF',
    'DF',
    '5F',
    '5A00',
    '5700',
  ],
  ...['9F2A00', 'DFAE0200', 'DFEE1200', 'C2080011223344556677', 'C00AFFFF9876543210E00001', '9F80'],
  // Names and values
  ...[
    'a=b;',
    'a=b&',
    'a: b\n',
    'a:',
    'a=',
    'ksn=',
    'ksn: ',
    'KSN',
    'ksn',
    'key',
    'a ',
    ' a',
    'a\n',
  ],
  ...[
    'track1=',
    'data: ',
    'a_',
    '_,',
    ', ',
    '" ',
    "a='",
    'a="',
    '127=',
    'de127',
    'TVP|',
    'E?',
    'x,',
  ],
  ...[
    '//',
    '/*',
    '/* */',
    '# ',
    '-- ',
    "b'",
    'new byte[]{',
    '(byte) ',
    'FFFF9876543210E00001',
    '.-',
  ],
  // Captured requests
  ...[
    'curl ',
    "-H 'a: b' ",
    '-d @',
    'GET / ',
    'a: b\r\n',
    '--data ',
    'http://',
    '/a',
    'a@',
    '?a=',
    '<<',
  ],
];

/** What a text may begin with, so that it gets beyond the first look at it. */
const LEADS: readonly string[] = [
  '',
  '{"a":"',
  'a=',
  '02',
  "curl 'http://a' -d '",
  '%B4111111111111111^',
];

/** What stands behind it: nothing, or one wrong character. */
const ENDINGS: readonly string[] = ['', 'x', '!', '"', '}', '\n', '\u0000', 'é'];

/** A text of any size. */
export interface SweepText {
  readonly title: string;
  readonly ofSize: (size: number) => string;
}

/** Every unit with every ending, and every unit behind every lead. */
export const SWEEP_TEXTS: readonly SweepText[] = [...new Set(UNITS)].flatMap((unit) => [
  ...ENDINGS.map((ending) => sweepText('', unit, ending)),
  ...LEADS.slice(1).flatMap((lead) => ['', '!'].map((ending) => sweepText(lead, unit, ending))),
]);

function sweepText(lead: string, unit: string, ending: string): SweepText {
  const ofSize = (size: number) => {
    const times = Math.floor((size - lead.length - ending.length) / unit.length);
    return lead + unit.repeat(times) + ending;
  };
  return {title: JSON.stringify([lead, unit, ending]), ofSize};
}
