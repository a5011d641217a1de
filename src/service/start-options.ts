import {z} from 'zod';
import {AUTH_METHODS, SHARED_KEY_ENCODINGS} from '../contract/auth-method.js';
import type {RequestFilter} from '../contract/control/received-request.js';
import {PaylensError} from '../contract/paylens-error.js';
import type {StartServerOptions} from './test-server.js';

/** A timer of Node fires at once after more. */
const LONGEST_MS = 2 ** 31 - 1;

const text = z.string({error: 'expected a string'});
const flag = z.boolean({error: 'expected true or false'});
const clock = z.custom<() => number>((given) => typeof given === 'function', {
  error: 'expected a function',
});

function list<T extends z.ZodType>(one: T) {
  return z.array(one, {error: 'expected an array'});
}

function whole(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.number({error}).int({error}).min(least, {error}).max(most, {error});
}

function oneOf<const T extends readonly string[]>(names: T) {
  return z.enum(names, {error: `expected ${names.join(', ')}`});
}

function object<T extends z.ZodRawShape>(shape: T) {
  const known = `expected ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, {
    error: ({code}) =>
      code === 'unrecognized_keys' ? `unknown option: ${known}` : 'expected an object',
  });
}

const partner = object({
  partnerId: text,
  partnerKey: text.optional(),
  sharedKey: text.optional(),
  encoding: oneOf(SHARED_KEY_ENCODINGS).optional(),
  rsaPublicKey: text.optional(),
  methods: list(oneOf(AUTH_METHODS)).optional(),
});
const device = object({
  partnerId: text.optional(),
  serial: text,
  clientId: text.optional(),
  status: text.optional(),
  firmware: list(text).optional(),
});
const key = object({
  key: text,
  kind: oneOf(['bdk', 'ik', 'working']).optional(),
  ksnPrefix: text.optional(),
});

/** Of each option the form; ranges that need words of their own are checked where they are used. */
const OPTIONS = object({
  mode: z.enum(['demo', 'mock'], {error: 'expected demo or mock'}).optional(),
  port: whole(0, 65_535).optional(),
  partners: list(partner).optional(),
  devices: list(device).optional(),
  keys: list(key).optional(),
  explain: flag.optional(),
  strict: flag.optional(),
  extended: flag.optional(),
  fail: z
    .union([z.number(), z.string()], {
      error: 'expected a share such as 0.05, or a percentage such as 5%',
    })
    .optional(),
  now: clock.optional(),
  latency: z
    .number({error: 'expected milliseconds'})
    .min(0, {error: 'expected milliseconds'})
    .optional(),
  timeouts: object({headers: whole(1, LONGEST_MS), request: whole(1, LONGEST_MS)}).optional(),
  allowedHosts: list(text).optional(),
  nonces: whole(1, LONGEST_MS).optional(),
} satisfies Record<keyof StartServerOptions, z.ZodType>);

const FILTER = object({
  since: text.optional(),
  reference: text.optional(),
  status: z.number({error: 'expected a number'}).optional(),
  deviceType: text.optional(),
} satisfies Record<keyof RequestFilter, z.ZodType>);

/**
 * A copy of the options of a suite, which may be written in JavaScript. Throws 9015 for a partner or
 * a key, 9001 for every other option that has another form.
 */
export function checkStartOptions(given: unknown): StartServerOptions {
  const {data, fault, at} = checked(OPTIONS, given);
  // Only members that are there: an option that is undefined counts as absent.
  if (data) return defined(data) as StartServerOptions;
  throw new PaylensError(at === 'partners' || at === 'keys' ? 9015 : 9001, fault);
}

/** The filter of `requests()`. Throws 2005. */
export function checkFilter(given: unknown): RequestFilter {
  const {data, fault} = checked(FILTER, given);
  if (data) return data;
  throw new PaylensError(2005, fault);
}

function checked<T>(form: z.ZodType<T>, given: unknown) {
  try {
    const {data, error} = form.safeParse(isObject(given) ? defined(given) : given);
    const {path = [], message = ''} = error?.issues[0] ?? {};
    const place = path.length === 0 ? '' : `${path.join('.')}: `;
    return {data, fault: `${place}${message}`, at: path[0]};
  } catch {
    return {fault: 'the options cannot be read'};
  }
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
