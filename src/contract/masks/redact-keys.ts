const KEY = /[0-9a-f]{32,}/gi;

/** Hides what may be a key in `text`: every run of 32 or more hex digits. */
export function redactKeys(text: string): string {
  return text.replace(KEY, '[hidden]');
}

/** The same with an asterisk for every digit. */
export function starKeys(text: string): string {
  return text.replace(KEY, (key) => '*'.repeat(key.length));
}
