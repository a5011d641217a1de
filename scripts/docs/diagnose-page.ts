import {LABELS} from '../../src/diagnosis/labels.js';
import {page, table} from './markdown.js';

/** The rows of the usual mistakes, most frequent first. */
const ROWS = [
  'Wrong variant, or self-encryption left out',
  'KSN length, padding or counter',
  'The whole frame, the masked part, the wrong slice',
  'Kind of key',
  'No key at all, or only components',
  'ECB against CBC, the IV',
  'Correct key, but the plaintext does not look like a track',
  'PIN blocks',
  'The gateway rejects the payload',
  'Hex treated as text, padding, scrambled or odd hex',
  'KSN of another read',
  'Parsing after decryption',
  'AES',
];

const TEXT = `# diagnose: what it finds and what its labels mean

\`paylens diagnose\` takes whatever you have, such as a whole frame or bare ciphertext, a key or a KSN, and searches for the settings that decrypt it. It reports the key, KSN, variant, mode, IV and packing that work, the facts that prove the result, and the mistake.

## Input

A payload as argument, file or \`-\` for stdin, with \`--ksn\`, \`--iv\`, \`--device-type\`; or a JSON case from a file or stdin. Put keys in a case or in the keyfile, never in an argument. The published test keys are always tried.

\`\`\`json
{
  "ciphertexts": [
    {
      "name": "track 1",
      "hex": "C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12"
    }
  ],
  "ksn": "FFFF9876543210E00008",
  "iv": "0000000000000000",
  "keys": [{"kind": "bdk", "hex": "0123456789ABCDEFFEDCBA9876543210"}],
  "pan": "5452300551227189",
  "expected": "%B5452"
}
\`\`\`

A payload goes into \`payload\`, with \`deviceType\` if it is known. Every member may be left out; [schemas/diagnose-case.schema.json](schemas/diagnose-case.schema.json) describes them to editors, and \`$schema\` may name it. \`kind\` is \`bdk\`, \`ik\`, \`session\`, \`component\` or \`unknown\`: what you think the key is; other roles are also tried. \`expected\`, of the case or of a ciphertext, is the plaintext or its beginning, if you know it, in hex or as text: it proves a decryption, and gives the IV if that is missing. The body of a process-payload request works as well.

## What it tries

Most likely first: each ciphertext as its format specifies; the six variants with and without self-encryption, CBC and ECB, under a zero IV, the supplied IV and those in the payload; CBC chaining that restarts; AES-128 under the TDES key and AES DUKPT with every usage. Then other ciphertext boundaries, components, other key roles, other forms of the KSN, incorrectly assembled keys. The first 64 reads of a device whose initial KSN was given. Last, the long search: neighbouring reads up to 64 away, KSNs and keys with one digit wrong, missing or extra, or two adjacent digits (of keys also bytes) transposed, parity bits, simple example keys. \`--time-limit\` limits it (default 10s), \`--threads\` shares it between threads.

## When something counts as found

Wrong keys give random bytes, and a search makes many of them. Every fact (grammar of a track, LRC, TLV that parses to its end, a masked copy that agrees, a hash, 57 equal to 5A, padding, a given PAN, the plaintext that was expected, a pattern of 16 bytes or more that repeats or counts) counts as many bits as it is unlikely in random bytes. A decryption is accepted when its facts together make chance less likely than 2^-40 over all trials made so far, or 2^-30 when facts of two kinds agree. A decryption with less evidence is never shown as a result.

## Output of \`--json\`

\`{solved, verdicts: [{label, row, text, detail?}], solution, evidence, plaintexts: [{name, hex, text}], next?, tried, elapsedMs}\`. \`solution\` holds \`deviceType\` (if the format is known), \`form\`, \`key: {role, source}\`, \`ksn\`, \`variant\`, \`selfEncrypted\`, \`algorithm\`, \`usage\` (AES DUKPT), \`mode\` (\`null\`: only the first block is proven), \`iv\` (\`null\`: unknown, the first block is lost) and \`packing\` (\`ascii\`, \`4bit\`, \`6bit\`, \`bcd\`, \`tlv\`, \`text\`, \`zeros\`, \`binary\`, \`data\`, \`pin-block-0\`, \`-1\`, \`-3\`, \`-4\`). \`key.source\` names the key, never its bytes. \`plaintexts[].hex\` is the whole cipher output, padding included; without \`--reveal\` it is hidden. \`next\` is the \`decrypt\` command that works. If nothing decrypts, \`solved\` is false, the exit code is 4, and the verdicts report what is missing.

## Labels

The set is closed: scripts may rely on it.`;

/** The page of `diagnose`: its input, when something counts as found, every label. */
export function diagnosePage(): string {
  return page(
    TEXT,
    ...ROWS.map((title, i) => section(`### ${i + 1}. ${title}`, i + 1)),
    section('### Other', 0),
  );
}

function section(title: string, row: number): string {
  const labels = Object.entries(LABELS).filter(([, label]) => label.row === row);
  const rows = labels.map(([label, {text}]) => [`\`${label}\``, text]);
  return `${title}\n\n${table(['label', 'meaning'], rows)}`;
}
