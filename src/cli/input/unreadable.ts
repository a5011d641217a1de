import {PaylensError} from '../../contract/paylens-error.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'no permission to read it',
  EISDIR: 'it is a folder',
};

const HINTS: Readonly<Record<string, string>> = {
  EISDIR: 'Name a file in it.',
};

/** The 9002 for what the system says when a file is read. */
export function unreadable(error: unknown): PaylensError {
  const code = String((error as NodeJS.ErrnoException).code ?? 'unknown');
  const hint = HINTS[code];
  const reason = REASONS[code] ?? `the system says ${code}`;
  return new PaylensError(9002, reason, hint === undefined ? {} : {hint});
}
