import type {AuthMethod} from '../../contract/auth-method.js';
import {base64Of, bytesFromUtf8, looseBase64, utf8Of} from '../../platform/bytes.js';
import {equalBytes} from '../../platform/hash.js';
import {parseAuthorization} from '../authorization-header.js';
import {readPair} from '../methods/basic.js';
import type {BodyCredentials} from '../methods/transparent.js';
import type {PartnerLookup} from '../partner/partner.js';
import {unknownUsername} from './unknown-username.js';

/** Says what is wrong with a Basic header; undefined when it is right. */
export function basicFault(header: string, partners: PartnerLookup): string | undefined {
  const token = parseAuthorization(header)?.token68;
  const pair = token === undefined ? undefined : readPair(token);
  if (pair) return passwordFault(pair[0], pair[1], 'basic', partners);
  return `Basic: ${tokenFault(header.replace(/^basic\s*/i, ''))}`;
}

/** Says what is wrong with partnerId and partnerKey in a body; undefined when they are right. */
export function transparentFault(
  {partnerId, partnerKey}: BodyCredentials,
  partners: PartnerLookup,
): string | undefined {
  if (!partnerId || !partnerKey) return 'no Authorization header, and no credentials in the body';
  return passwordFault(partnerId, partnerKey, 'transparent', partners);
}

/** Says what is wrong with an id and its key; undefined when they are right. */
function passwordFault(
  partnerId: string,
  partnerKey: string,
  method: AuthMethod,
  partners: PartnerLookup,
): string | undefined {
  const partner = partners(partnerId);
  if (!partner) {
    const isExchanged = partners(partnerKey) !== undefined;
    return isExchanged
      ? "partnerId and partnerKey are in each other's place"
      : unknownUsername(partnerId, partners);
  }
  if (!partner.methods.has(method)) return `${method} is not enabled for it`;
  const given = bytesFromUtf8(partnerKey);
  const found = partner.passwords().find(({value}) => equalBytes(value, given));
  return found ? found.mistake : 'the partnerKey is wrong, and no common mistake explains it';
}

function tokenFault(token: string): string {
  if (token === '') return 'the token is missing';
  if (/[\w-]\s*=\s*"/.test(token))
    return 'expected base64 of partnerId:partnerKey, found properties';
  if (token.includes(':')) return 'partnerId:partnerKey is not encoded in base64';
  if (!/^[\w+/-]+={0,2}$/.test(token)) return 'expected base64 of partnerId:partnerKey';
  const text = utf8Of(looseBase64(token));
  if (base64Of(bytesFromUtf8(text)) !== token)
    return 'the token is not in base64 of UTF-8 with its padding';
  if (/[\r\n]/.test(text)) return 'a line feed was encoded with partnerId:partnerKey';
  if (utf8Of(looseBase64(text)).includes(':')) return 'the token is base64 twice';
  return 'expected partnerId, a colon and partnerKey in the token';
}
