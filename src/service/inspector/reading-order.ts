import {parseAuthorization} from '../../auth/authorization-header.js';
import {waysToWrite} from '../../auth/explain/unknown-username.js';
import {readPair} from '../../auth/methods/basic.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import {
  createPartner,
  type Partner,
  type PartnerLookup,
  type PartnerRecord,
} from '../../auth/partner/partner.js';
import {Secret} from '../../contract/secret.js';
import {headerValues, type RawRequest} from '../http/request-head.js';
import {explainRefusal, type RefusedRaw} from '../operations/explain-refusal.js';
import {type ExchangeSource, recordExchange} from './record-exchange.js';
import {type DetailSource, requestDetail} from './request-detail.js';

/** The details of a request, the explanation of its 1003 at `now`, in milliseconds, or its record. */
export type Question =
  | {readonly detail: Omit<DetailSource, 'partners'>}
  | {readonly refused: Omit<RefusedRaw, 'partners'>; readonly now: number}
  | {readonly record: ExchangeSource};

/** A question as plain data for another thread. */
export type ReadingOrder = Question & {readonly partners: readonly SentPartner[]};

/** The record of a partner, its secrets as bytes. */
interface SentPartner extends Omit<PartnerRecord, 'partnerKey' | 'sharedKey'> {
  readonly partnerKey?: Uint8Array | undefined;
  readonly sharedKey?: Uint8Array | undefined;
}

/** The answer to an order as JSON: a RequestDetail, an Explanation, or an ExchangeRecord. */
export function answerReading(order: ReadingOrder): string {
  const known = new Map(order.partners.map((one) => [one.partnerId, createPartner(received(one))]));
  const partners: PartnerLookup = (partnerId) => known.get(partnerId);
  if ('detail' in order) return JSON.stringify(requestDetail({...order.detail, partners}));
  if ('record' in order) return JSON.stringify(recordExchange(order.record, partners));
  return JSON.stringify(explainRefusal({...order.refused, partners}, order.now));
}

function received({partnerKey, sharedKey, ...record}: SentPartner): PartnerRecord {
  const [first, second] = [partnerKey, sharedKey].map((key) => key && new Secret(key));
  partnerKey?.fill(0);
  sharedKey?.fill(0);
  return {...record, partnerKey: first, sharedKey: second};
}

/** A question with copies of all it needs: the partners that its request may mean, and its body. */
export function readingOrder(question: Question, partners: PartnerLookup): ReadingOrder {
  const raw = rawOf(question);
  const known = 'detail' in question ? (question.detail.row.partnerId ?? '') : '';
  const names = new Set([known, ...(raw ? namesIn(raw) : []).flatMap(waysToWrite)]);
  const sent = [...names].flatMap((name) => sentPartner(partners(name)) ?? []);
  // Without the bytes around it, which would be sent along.
  const copied = <Raw extends {body: Uint8Array}>(one: Raw) => ({
    ...one,
    body: new Uint8Array(one.body),
  });
  if ('record' in question) return {record: copied(question.record), partners: sent};
  if ('refused' in question)
    return {refused: copied(question.refused), now: question.now, partners: sent};
  const {detail} = question;
  const response = detail.raw?.response && copied(detail.raw.response);
  const own = detail.raw && {...copied(detail.raw), ...(response && {response})};
  return {detail: {...detail, raw: own}, partners: sent};
}

function rawOf(question: Question): RawRequest | undefined {
  if ('detail' in question) return question.detail.raw;
  return 'record' in question ? question.record : question.refused;
}

function sentPartner(partner: Partner | undefined): SentPartner | undefined {
  if (!partner) return undefined;
  const {partnerKey, sharedKey, ...record} = partner.record;
  const [first, second] = [partnerKey, sharedKey].map((key) => key?.reveal().slice());
  return {...record, partnerKey: first, sharedKey: second};
}

/** The body is read only where the first header names nobody: that takes long for a large one. */
function namesIn({rawHeaders, body}: RawRequest): string[] {
  const inHeaders = headerValues(rawHeaders, 'authorization').map((header) => {
    const credentials = parseAuthorization(header);
    const username = credentials?.parameters.get('username')?.value;
    const pair = credentials?.token68 === undefined ? [] : readPair(credentials.token68);
    return [username, ...(pair ?? [])].filter((name) => name !== undefined);
  });
  if (inHeaders[0]?.length) return inHeaders.flat();
  const {partnerId, partnerKey} = credentialsInBody(body);
  return [partnerId, partnerKey, ...inHeaders.flat()].filter((name) => name !== undefined);
}
