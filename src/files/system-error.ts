import {getSystemErrorMap} from 'node:util';

/** The code of an error of the operating system (`ENOSPC`), else undefined. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as {code?: unknown} | null)?.code;
  return typeof code === 'string' && code.startsWith('E') ? code : undefined;
}

/** What went wrong in the system's words: `no space left on device (ENOSPC)`. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) return 'an unexpected error';
  for (const [name, text] of getSystemErrorMap().values()) {
    if (name === code) return `${text} (${code})`;
  }
  return code;
}
