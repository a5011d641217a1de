import {readChallenges} from '../../client/digest-challenge.js';
import {ERROR_CATALOGUE, type ErrorCode} from '../../contract/error-catalogue.js';
import {CLAUSE} from '../clauses.js';
import {isObject, isText, must, type WatchRow, watchScenario} from '../rules.js';
import type {Heard, Rule} from '../scenario.js';

const isSuccess = (heard: Heard) => isObject(heard) && heard.answer.accepted;
const isFailure = (heard: Heard) => isObject(heard) && !heard.answer.accepted;
const isRefusal = (heard: Heard) => isFailure(heard) && heard.step.expect.refused === true;
/** A step that names a status or method is judged by its own scenario. */
const isOwn = ({step}: Heard) => step.expect.status !== undefined || step.verb !== undefined;

const hasMessageId: Rule = ({body}) =>
  must(isText(body?.messageId, /^\d{25}$/), 'a messageId of 25 digits', body?.messageId);

const RESPONSE_ROWS: readonly WatchRow[] = [
  ['response-json', 'Every response is a JSON object', CLAUSE.general, () => true, isJson],
  [
    'response-success',
    'Every response has the boolean success',
    CLAUSE.general,
    isObject,
    ({body}) => must(typeof body?.success === 'boolean', 'success true or false', body?.success),
  ],
  ['message-id', 'A success has a messageId of 25 digits', CLAUSE.limits, isSuccess, hasMessageId],
  ['message-id-unique', 'No messageId is used twice', CLAUSE.validation, isObject, hasNewMessageId],
  [
    'error-object',
    'Every failure is an error object',
    CLAUSE.errorObject,
    isFailure,
    isErrorObject,
  ],
  [
    'authentication-required',
    'Failed authentication indicates that authentication is required',
    CLAUSE.hmacRejections,
    isRefusal,
    ({body}) => {
      const {errMessage} = body ?? {};
      const isSaid = !isText(errMessage) || isText(errMessage, /authenticat/i);
      return must(isSaid, 'an "authentication required" message', errMessage);
    },
  ],
];

const STATUS_ROWS: readonly WatchRow[] = [
  [
    'status-200',
    'Success returns 200',
    CLAUSE.statuses,
    isSuccess,
    ({status}) => must(status === 200, 'status 200', `status ${status}`),
  ],
  [
    'status-of-code',
    'Every errCode comes with its status',
    CLAUSE.errors,
    (heard) => isFailure(heard) && !isRefusal(heard) && !isOwn(heard),
    hasStatusOfCode,
  ],
  [
    'code-1003',
    'Failed authentication returns 401 and 1003',
    CLAUSE.errors,
    (heard) => isRefusal(heard) && !isOwn(heard),
    ({status, body}) => [
      ...must(status === 401, 'status 401', `status ${status}`),
      ...must(String(body?.errCode ?? 1003) === '1003', 'errCode 1003', body?.errCode),
    ],
  ],
  [
    'challenges',
    'A 401 has challenges, those of Digest with SHA-256 before MD5',
    CLAUSE.statuses,
    ({answer}) => answer.status === 401,
    hasChallenges,
  ],
  [
    'message-id-of-failure',
    'A failure also has a messageId',
    CLAUSE.messageId,
    isFailure,
    hasMessageId,
  ],
];

/** What the interface says about every response. */
export const INTERFACE_RESPONSES = RESPONSE_ROWS.map((row) => watchScenario(row, 'interface'));

/** What our contract says about every response. */
export const PAYLENS_RESPONSES = STATUS_ROWS.map((row) => watchScenario(row, 'paylens'));

function isJson({headers, isJson: isWhole}: Heard['answer']) {
  const type = headers['content-type'] ?? 'no Content-Type';
  return [
    ...must(isWhole, 'a JSON object', 'other content'),
    ...must(/^application\/json\b/i.test(type), 'Content-Type application/json', type),
  ];
}

function hasNewMessageId({body}: Heard['answer'], {before}: Heard) {
  const id = body?.messageId;
  const isKnown = id !== undefined && before.some((other) => other.body?.messageId === id);
  return must(!isKnown, 'a different messageId', id);
}

function isErrorObject({body: {errCode, errMessage, messageId = ''} = {}}: Heard['answer']) {
  return [
    ...must(Number.isInteger(errCode), 'an integer errCode', errCode),
    ...must(isText(errMessage), 'a string errMessage', errMessage),
    ...must(isText(messageId, /^\d*$/), 'a numeric messageId', messageId),
  ];
}

function hasStatusOfCode({status, body: {errCode} = {}}: Heard['answer']) {
  const isKnown = Object.hasOwn(ERROR_CATALOGUE, Number(errCode));
  const wanted = isKnown ? ERROR_CATALOGUE[Number(errCode) as ErrorCode].http : undefined;
  const expected = wanted === undefined ? 'an errCode of the contract' : `status ${wanted}`;
  return must(wanted === status, expected, `status ${status}, errCode ${errCode}`);
}

function hasChallenges({headers: {'www-authenticate': header}}: Heard['answer']) {
  const challenges = readChallenges(header === undefined ? [] : [header]);
  const digests = challenges
    .filter(({scheme}) => scheme === 'digest')
    .map(({parameters}) => parameters.get('algorithm')?.value ?? 'MD5')
    .join();
  return [
    ...must(challenges.length > 0, 'a WWW-Authenticate header with challenges', header),
    ...must(/^(?:|SHA-256,MD5)$/.test(digests), 'Digest with SHA-256, then MD5', digests),
  ];
}
