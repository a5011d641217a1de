import {z} from 'zod';
import {type AnswerOrder, FAULTS} from '../../contract/control/queued-answer.js';
import {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from '../../contract/error-catalogue.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {TERMINAL_TYPES} from '../../engine/devices/registry.js';
import {findTestCard} from '../../simulator/test-cards.js';

const MOST_TIMES = 10_000;
/** Milliseconds. */
const LONGEST_LATENCY = 60_000;
const LONGEST_TEXT = 200;

const text = z
  .string({error: 'expected a string'})
  .min(1, {error: 'expected at least one character'})
  .max(LONGEST_TEXT, {error: `expected at most ${LONGEST_TEXT} characters`});

function whole(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.number({error}).int({error}).min(least, {error}).max(most, {error});
}

const match = z.strictObject(
  {
    reference: text.optional(),
    serial: text.optional(),
    deviceType: z
      .enum(TERMINAL_TYPES, {error: `expected one of ${TERMINAL_TYPES.join(', ')}`})
      .optional(),
  },
  {error: objectError},
);

const answer = z.strictObject(
  {
    card: text
      .refine((card) => findTestCard(card) !== undefined, {
        error: 'unknown test card; `paylens simulate --list-cards` lists them',
      })
      .optional(),
    error: z
      .custom<ErrorCode>(isServiceError, {
        error: 'expected an error code of the service; `paylens errors` lists them',
      })
      .optional(),
    fault: z.enum(FAULTS, {error: `expected one of ${FAULTS.join(', ')}`}).optional(),
    latency: whole(0, LONGEST_LATENCY).optional(),
  },
  {error: objectError},
);

const order = z.strictObject(
  {match: match.optional(), answer, times: whole(1, MOST_TIMES).optional()},
  {error: objectError},
);

/** Checks an answer that is to be queued. Throws 2005, which names the member at fault. */
export function checkAnswerOrder(given: unknown): AnswerOrder {
  const {data, error} = parsed(given);
  if (!data) throw new PaylensError(2005, faultOf(error.issues[0]));
  const {card, error: code, fault, latency} = data.answer;
  const kinds = [card, code, fault].filter((kind) => kind !== undefined).length;
  if (kinds > 1) throw new PaylensError(2005, 'answer: expected one of card, error and fault');
  if (kinds === 0 && latency === undefined)
    throw new PaylensError(2005, 'answer: expected card, error, fault or latency');
  return data;
}

function parsed(given: unknown) {
  try {
    return order.safeParse(given);
  } catch (cause) {
    throw new PaylensError(2005, 'the answer cannot be read', {cause});
  }
}

function isServiceError(value: unknown): boolean {
  return ERROR_CODES.some((code) => code === value && ERROR_CATALOGUE[code].http !== undefined);
}

function objectError({code}: {readonly code?: string | undefined}): string {
  return code === 'unrecognized_keys' ? 'unknown member' : 'expected an object';
}

/** A name that is no ordinary word is not repeated. */
function faultOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'not an answer';
  const [unknown = ''] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const name = /^[a-z]{1,31}$/i.test(unknown) ? ` ${unknown}` : '';
  const path = issue.path.join('.');
  return `${path === '' ? '' : `${path}: `}${issue.message}${name}`;
}
