import {parseAuthorization} from '../../auth/authorization-header.js';
import {waysToWrite} from '../../auth/explain/unknown-username.js';
import {readPair} from '../../auth/methods/basic.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import {createPartner, type PartnerLookup, type PartnerRecord} from '../../auth/partner/partner.js';
import {Secret} from '../../contract/secret.js';
import {headerValues} from '../http/request-head.js';
import type {RawRequest} from '../information/captured-requests.js';
import {explainRefusal, type RefusedRaw} from '../operations/explain-refusal.js';
import {type DetailSource, requestDetail} from './request-detail.js';

/** A question about a request, as plain data for another thread. */
export type ReadingOrder = {readonly partners: readonly SentPartner[]} & (
  | {readonly detail: Omit<DetailSource, 'partners'>}
  | {readonly refused: Omit<RefusedRaw, 'partners'>; readonly now: number}
);

/** The record of a partner, its secrets as bytes. */
interface SentPartner extends Omit<PartnerRecord, 'partnerKey' | 'sharedKey'> {
  readonly partnerKey?: Uint8Array | undefined;
  readonly sharedKey?: Uint8Array | undefined;
}

/** The answer to an order as JSON: a RequestDetail, or an Explanation. */
export function answerReading(order: ReadingOrder): string {
  const known = new Map(order.partners.map((one) => [one.partnerId, createPartner(received(one))]));
  const partners: PartnerLookup = (partnerId) => known.get(partnerId);
  if ('detail' in order) return JSON.stringify(requestDetail({...order.detail, partners}));
  return JSON.stringify(explainRefusal({...order.refused, partners}, order.now));
}

function received({partnerKey, sharedKey, ...record}: SentPartner): PartnerRecord {
  const [first, second] = [partnerKey, sharedKey].map((key) => key && new Secret(key));
  partnerKey?.fill(0);
  sharedKey?.fill(0);
  return {...record, partnerKey: first, sharedKey: second};
}

/** The partners that a request may mean, by `known` and by every name in it. */
export function sentPartners(raw: RawRequest, partners: PartnerLookup, known = ''): SentPartner[] {
  const names = new Set([known, ...namesIn(raw).flatMap(waysToWrite)]);
  return [...names].flatMap((name) => {
    const partner = partners(name);
    if (!partner) return [];
    const {partnerKey, sharedKey, ...record} = partner.record;
    return {
      ...record,
      partnerKey: partnerKey?.reveal().slice(),
      sharedKey: sharedKey?.reveal().slice(),
    };
  });
}

function namesIn({rawHeaders, body}: RawRequest): string[] {
  const {partnerId, partnerKey} = credentialsInBody(body);
  const inHeaders = headerValues(rawHeaders, 'authorization').flatMap((header) => {
    const credentials = parseAuthorization(header);
    const username = credentials?.parameters.get('username')?.value;
    const pair = credentials?.token68 === undefined ? [] : readPair(credentials.token68);
    return [username, ...(pair ?? [])];
  });
  return [partnerId, partnerKey, ...inHeaders].filter((name) => name !== undefined);
}

/** A copy without the bytes around it, which would be sent along. */
export function rawCopy({target, rawHeaders, body}: RawRequest): RawRequest {
  return {target, rawHeaders: [...rawHeaders], body: new Uint8Array(body)};
}
