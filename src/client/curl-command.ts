import {PaylensError} from '../contract/paylens-error.js';

interface CurlRequest {
  readonly url: string;
  readonly authorization: string;
  readonly body: Uint8Array;
  /** The file with the body, if there is one. */
  readonly file?: string | undefined;
}

/**
 * The curl command that sends a signed request, byte for byte, for a POSIX shell. Throws 9001 when
 * the body is not in a file and holds bytes that a shell cannot pass on.
 */
export function curlCommand({url, authorization, body, file}: CurlRequest): string {
  const data =
    file === undefined ? `--data-raw ${word(bodyText(body))}` : `--data-binary ${word(`@${file}`)}`;
  return [
    `curl ${word(url)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${word(`Authorization: ${authorization}`)}`,
    data,
  ].join(' \\\n  ');
}

function word(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function bodyText(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8');
  if (!text.includes('\0') && Buffer.from(text).equals(body)) return text;
  throw new PaylensError(9001, 'the body contains bytes that cannot be passed on a command line', {
    hint: 'Pass the body as a file.',
  });
}
