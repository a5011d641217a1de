/** Short flags without a value, which may be joined: `-tj`. */
const SWITCHES = {json: 'j', quiet: 'q', help: 'h', 'test-keys': 't'};

/** Whether `flag` is among the arguments before `--`: for use before, or without, a full parse. */
export function isAsked(
  flag: keyof typeof SWITCHES | 'no-color',
  argv: readonly string[],
): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  if (words.includes(`--${flag}`)) return true;
  if (flag === 'no-color') return false;
  const joined = new RegExp(`^-[${Object.values(SWITCHES).join('')}]*${SWITCHES[flag]}`);
  return words.some((word) => joined.test(word));
}
