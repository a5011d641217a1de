import {PaylensError} from '../../contract/paylens-error.js';

/**
 * The X25519 identities of an identity file as `age-keygen` writes it: one per line, `#` begins a
 * comment. Throws 9011 for another line or none at all.
 */
export function parseIdentities(text: string): readonly string[] {
  const identities: string[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = line.trim();
    if (entry === '' || entry.startsWith('#')) return;
    if (!/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/.test(entry)) throw malformed(`line ${index + 1}`);
    identities.push(entry);
  });
  if (identities.length === 0) throw malformed('the whole file');
  return identities;
}

function malformed(where: string): PaylensError {
  return new PaylensError(
    9011,
    `identity file: expected AGE-SECRET-KEY-1... and 58 characters in ${where}, found other text`,
    {hint: 'Pass an identity file created by `age-keygen`.'},
  );
}
