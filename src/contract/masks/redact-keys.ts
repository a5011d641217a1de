/** Hides what may be a key in `text`: every run of 32 or more hex digits. */
export function redactKeys(text: string): string {
  return text.replace(/[0-9a-f]{32,}/gi, '[hidden]');
}
