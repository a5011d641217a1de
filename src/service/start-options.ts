import {z} from 'zod';
import {AUTH_METHODS, SHARED_KEY_ENCODINGS} from '../contract/auth-method.js';
import type {RequestFilter} from '../contract/control/received-request.js';
import {PaylensError} from '../contract/paylens-error.js';
import {parseHostName} from './http/served-hosts.js';
import {shareOf} from './operations/fault-settings.js';
import {oneOf, ownMembers, wholeNumber} from './operations/zod-parts.js';
import type {StartServerOptions} from './test-server.js';

/** With more, Node's timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const stringOption = z.string({error: 'expected a string'});
const booleanOption = z.boolean({error: 'expected true or false'});
const clockOption = z.custom<() => number>((given) => typeof given === 'function', {
  error: 'expected a function',
});

export function list<T extends z.ZodType>(one: T) {
  return z.array(one, {error: 'expected an array'});
}

export function object<T extends z.ZodRawShape>(shape: T) {
  const known = `expected ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, {
    error: ({code}) =>
      code === 'unrecognized_keys' ? `unknown option: ${known}` : 'expected an object',
  });
}

const partnerOption = object({
  partnerId: stringOption,
  partnerKey: stringOption.optional(),
  sharedKey: stringOption.optional(),
  encoding: oneOf(SHARED_KEY_ENCODINGS).optional(),
  rsaPublicKey: stringOption.optional(),
  methods: list(oneOf(AUTH_METHODS)).optional(),
});
const deviceOption = object({
  partnerId: stringOption.optional(),
  serial: stringOption,
  clientId: stringOption.optional(),
  status: stringOption.optional(),
  firmware: list(stringOption).optional(),
});
export const keyOption = object({
  key: stringOption,
  kind: oneOf(['bdk', 'ik', 'working']).optional(),
  ksnPrefix: stringOption.optional(),
});

const FAIL_ERROR = 'expected a share such as 0.05, or a percentage such as 5%';

/** The form of each option. */
const OPTIONS = object({
  mode: z.enum(['demo', 'mock'], {error: 'expected demo or mock'}).optional(),
  port: wholeNumber(0, 65_535).optional(),
  partners: list(partnerOption).optional(),
  devices: list(deviceOption).optional(),
  keys: list(keyOption).optional(),
  explain: booleanOption.optional(),
  strict: booleanOption.optional(),
  extended: booleanOption.optional(),
  fail: z
    .union([z.number(), z.string()], {error: FAIL_ERROR})
    .refine((fail) => shareOf(String(fail)) !== undefined, {error: FAIL_ERROR})
    .optional(),
  now: clockOption.optional(),
  latency: z
    .number({error: 'expected milliseconds'})
    .min(0, {error: 'expected milliseconds'})
    .optional(),
  timeouts: object({
    headers: wholeNumber(1, MAX_TIMER_MS),
    request: wholeNumber(1, MAX_TIMER_MS),
  }).optional(),
  allowedHosts: list(stringOption)
    .refine((hosts) => hosts.every((host) => parseHostName(host) !== undefined), {
      error: 'expected names or addresses without scheme or port',
    })
    .optional(),
  nonces: wholeNumber(1, MAX_TIMER_MS).optional(),
} satisfies Record<keyof StartServerOptions, z.ZodType>);

const FILTER = object({
  since: stringOption.optional(),
  reference: stringOption.optional(),
  status: z.number({error: 'expected a number'}).optional(),
  deviceType: stringOption.optional(),
} satisfies Record<keyof RequestFilter, z.ZodType>);

/**
 * A copy of the options of a suite, which may be written in JavaScript. Throws 9015 for a partner or
 * a key, 9001 for every other option that has another form.
 */
export function checkStartOptions(given: unknown): StartServerOptions {
  const {data, fault, at} = checked(OPTIONS, given);
  if (data) return ownMembers(data) as StartServerOptions;
  throw new PaylensError(at === 'partners' || at === 'keys' ? 9015 : 9001, fault);
}

/** The filter of `requests()`. Throws 2005. */
export function checkFilter(given: unknown): RequestFilter {
  const {data, fault} = checked(FILTER, given);
  if (data) return data;
  throw new PaylensError(2005, fault);
}

/** What was given in this form; else what is wrong with it, and the member at fault. */
export function checked<T>(form: z.ZodType<T>, given: unknown) {
  try {
    const {data, error} = form.safeParse(ownMembers(given));
    const {path = [], message = ''} = error?.issues[0] ?? {};
    const place = path.length === 0 ? '' : `${path.join('.')}: `;
    return {data, fault: `${place}${message}`, at: path[0]};
  } catch {
    return {fault: 'the options cannot be read'};
  }
}
