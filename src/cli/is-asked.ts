/** Whether `flag` is among the arguments before `--`: for use before, or without, a full parse. */
export function isAsked(flag: string, argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes(flag);
}
