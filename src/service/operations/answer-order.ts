import {z} from 'zod';
import {type AnswerOrder, FAULTS} from '../../contract/control/queued-answer.js';
import {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from '../../contract/error-catalogue.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import {findTestCard} from '../../simulator/test-cards.js';
import {wholeNumber} from './zod-parts.js';

const MAX_TIMES = 10_000;
/** Milliseconds. */
const MAX_LATENCY_MS = 60_000;
const MAX_MATCH_CHARS = 200;

/** A text that a call is compared with. */
export const matchText = z
  .string({error: 'expected a string'})
  .min(1, {error: 'expected at least one character'})
  .max(MAX_MATCH_CHARS, {error: `expected at most ${MAX_MATCH_CHARS} characters`});

/** What every answer may have, whoever gives it. */
export const answerParts = {
  card: matchText
    .refine((card) => findTestCard(card) !== undefined, {
      error: 'unknown test card; `paylens simulate --list-cards` lists them',
    })
    .optional(),
  latency: wholeNumber(0, MAX_LATENCY_MS).optional(),
};

const match = z.strictObject(
  {
    reference: matchText.optional(),
    serial: matchText.optional(),
    deviceType: z
      .enum(TERMINAL_TYPES, {error: `expected one of ${TERMINAL_TYPES.join(', ')}`})
      .optional(),
  },
  {error: objectError},
);

const answer = z.strictObject(
  {
    ...answerParts,
    error: z
      .custom<ErrorCode>(isServiceError, {
        error: 'expected an error code of the service; `paylens errors` lists them',
      })
      .optional(),
    fault: z.enum(FAULTS, {error: `expected one of ${FAULTS.join(', ')}`}).optional(),
  },
  {error: objectError},
);

const order = orderOf(match, answer);

/** An order of these parts. */
export function orderOf<Match extends z.ZodType, Answer extends z.ZodType>(
  match: Match,
  answer: Answer,
) {
  const times = wholeNumber(1, MAX_TIMES).optional();
  return z.strictObject({match: match.optional(), answer, times}, {error: objectError});
}

/** Checks an answer that is to be queued. Throws 2005, which names the member at fault. */
export function checkAnswerOrder(given: unknown): AnswerOrder {
  const data = orderIn(order, given);
  const {card, error: code, fault, latency} = data.answer;
  const kinds = [card, code, fault].filter((kind) => kind !== undefined).length;
  if (kinds > 1) throw new PaylensError(2005, 'answer: expected one of card, error and fault');
  if (kinds === 0 && latency === undefined)
    throw new PaylensError(2005, 'answer: expected card, error, fault or latency');
  return data;
}

/** The order that was given. Throws 2005, which names the member at fault. */
export function orderIn<T>(form: z.ZodType<T>, given: unknown): T {
  let parsed: z.ZodSafeParseResult<T>;
  try {
    parsed = form.safeParse(given);
  } catch (cause) {
    throw new PaylensError(2005, 'the answer cannot be read', {cause});
  }
  if (parsed.success) return parsed.data;
  throw new PaylensError(2005, faultOf(parsed.error.issues[0]));
}

function isServiceError(value: unknown): boolean {
  return ERROR_CODES.some((code) => code === value && ERROR_CATALOGUE[code].http !== undefined);
}

/** Says what is wrong with an object. */
export function objectError({code}: {readonly code?: string | undefined}): string {
  return code === 'unrecognized_keys' ? 'unknown member' : 'expected an object';
}

/** A name is repeated only if it is an ordinary word. */
function faultOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'not an answer';
  const [unknown = ''] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const name = /^[a-z]{1,31}$/i.test(unknown) ? ` ${unknown}` : '';
  const path = issue.path.join('.');
  return `${path === '' ? '' : `${path}: `}${issue.message}${name}`;
}
