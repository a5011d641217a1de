/** Options that take a key, a passphrase or an identity: people also type the secret itself. */
const SECRET_OPTION = /^--(?:[a-z]+-)*(?:key|passphrase|component|identity)(?:-file)?$/;
/** Digits of a card or a key, also in groups of bytes or of four; three words, as a passphrase has. */
const SECRET_VALUE = /[0-9a-f]{12}|[0-9a-f](?:[\s:-]?[0-9a-f]){15}|\S\s+\S+\s+\S/i;

/** Whether a text may be a card number, a key or a passphrase. */
export function mayBeSecret(text: string): boolean {
  return SECRET_VALUE.test(text.normalize('NFKC'));
}

/**
 * A message without the arguments that may be a secret or a card: it has the option in their place.
 * `takesValue` tells options from switches.
 */
export function withoutSecrets(
  message: string,
  argv: readonly string[],
  takesValue: (option: string) => boolean = () => false,
): string {
  return argv.reduce((shown, word, i) => {
    const [, joined, value = word] = /^(--[a-z-]+)=(.+)$/s.exec(word) ?? [];
    const before = argv[i - 1] ?? '';
    const option = joined ?? (takesValue(before) ? before : undefined);
    if (!SECRET_OPTION.test(option ?? '') && !mayBeSecret(value)) return shown;
    return withoutWord(shown, value, option ?? '(not shown)');
  }, message);
}

/** Only whole words, so that a short value leaves the rest of the message as it is. */
function withoutWord(message: string, word: string, instead: string): string {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const named = new RegExp(`(?<![\\w.-])(?:${instead} )?${literal}(?![\\w-])`, 'gu');
  return message.replace(named, () => instead);
}
