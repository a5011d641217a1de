import {redactKeys} from './redact-keys.js';

/** A parameter of a query or fragment: its name, and its value up to what follows. */
const PARAMETER = /([?&;#])([^=&;#\s]*)=([^&;#\s]*)/g;
/** Names of what proves who somebody is, however they are composed: `partnerKey`, `access_token`. */
const SECRET =
  /key(?!ed|Ser)|pass|pwd|secret|token|auth|credential|signature|session|^sig$|^bdk$|^ik$/i;

/**
 * Hides the secrets in the query of a request target, wherever that stands in `text`: values by the
 * name of their parameter, and what may be a key. The interface has no query, yet somebody may have
 * put there what belongs into the body.
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
