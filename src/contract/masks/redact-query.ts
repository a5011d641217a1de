import {redactKeys, starKeys} from './redact-keys.js';

/** What stands between two `&`, with the first of them. */
const GROUP = /&?[^&\s]+/g;
/** A parameter up to its value; its marks may be percent-encoded, as in an address within it. */
const NAME = /(?:[?&;#]|%(?:2[36]|3[bf]))((?:(?!%(?:2[36]|3[bdf]))[^=?&;#])*)(?:=|%3d)/gi;
/** Names of credentials, in any composition: `partnerKey`, `access_token`. */
const SECRET =
  /key(?!ed|Ser)|pass|pwd|secret|token|auth|credential|signature|session|^sig$|^bdk$|^ik$/i;

/**
 * Hides the secrets in the query of a request target anywhere in `text`: values by the name of
 * their parameter, and possible keys. The interface has no query, but a client may have put parts
 * of the body there by mistake, and not encoded: `;`, `#` and `?` do not end a secret.
 */
export function redactQuery(text: string): string {
  return text.replace(GROUP, (group) => maskedGroup(group, redactKeys, () => '[hidden]'));
}

/** The same with an asterisk for every character. */
export function starQuery(text: string): string {
  return text.replace(GROUP, (group) =>
    maskedGroup(group, starKeys, (secret) => '*'.repeat(secret.length)),
  );
}

type Mask = (text: string) => string;

function maskedGroup(group: string, maskKeys: Mask, hide: Mask): string {
  const start = secretIn(group);
  const clear = group.slice(0, start).replace(/[?&;#].*/s, maskKeys);
  return start < group.length ? clear + hide(group.slice(start)) : clear;
}

/** Where the value of the first secret begins; the end, where there is none. */
function secretIn(group: string): number {
  for (const {index, 0: whole, 1: name = ''} of group.matchAll(NAME))
    if (SECRET.test(decoded(name))) return index + whole.length;
  return group.length;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
