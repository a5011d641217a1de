import {isLoopbackUrl} from '../../contract/loopback.js';
import {serviceRoot} from '../../contract/operation.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {withoutEnd} from '../../platform/without-end.js';
import {note} from '../output/output.js';

/**
 * Checks a base URL: http or https, without credentials, query and fragment. A path of the interface
 * at its end is dropped, with a note. Throws 9001; `name` is what the command calls the URL.
 */
export function checkBaseUrl(text: string, name = 'base URL'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!plain || !/^https?:$/.test(url.protocol)) {
    const what = `${name}: expected http(s)://HOST[:PORT][/PATH], without credentials or query`;
    throw new PaylensError(9001, what, {hint: `Example: ${exampleFor(text)}`});
  }
  const given = withoutEnd(text.trim(), /\//);
  const root = serviceRoot(given);
  if (root !== given) note(`Base URL: ${root} (the paths below it begin with /api/v1).`);
  return root;
}

// What lacks only its scheme holds no credentials, and may be repeated.
function exampleFor(text: string): string {
  if (!/^[a-z\d.-]+(?::\d{1,5})?(?:\/[a-z\d./-]*)?$/i.test(text))
    return 'https://parser.example.com';
  return isLoopbackUrl(`http://${text}`) ? `http://${text}` : `https://${text}`;
}
