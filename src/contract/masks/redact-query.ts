import {redactKeys} from './redact-keys.js';

/** A parameter of a query or fragment: its name, and its value up to what follows. */
const PARAMETER = /([?&;#])([^=&;#\s]*)=([^&;#\s]*)/g;
/** Names of credentials, in any composition: `partnerKey`, `access_token`. */
const SECRET =
  /key(?!ed|Ser)|pass|pwd|secret|token|auth|credential|signature|session|^sig$|^bdk$|^ik$/i;

/**
 * Hides the secrets in the query of a request target anywhere in `text`: values by the name of
 * their parameter, and possible keys. The interface has no query, but a client may have put parts
 * of the body there by mistake.
 */
export function redactQuery(text: string): string {
  return text.replace(PARAMETER, (whole, mark: string, name: string, value: string) => {
    if (value === '') return whole;
    return `${mark}${name}=${SECRET.test(decoded(name)) ? '[hidden]' : redactKeys(value)}`;
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
