import {filterRequests} from '../contract/control/received-request.js';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../contract/masks/redact-keys.js';
import {PaylensError} from '../contract/paylens-error.js';
import {launch} from './launch.js';
import type {LaunchOptions} from './launch-options.js';
import {shareOf, spreadFails} from './operations/fault-settings.js';
import {DEMO_PARTNER} from './registry/demo-registry.js';
import {testRegistry} from './test-registry.js';
import type {StartServerOptions, TestServer} from './test-server.js';

export type {
  AnswerMatch,
  AnswerOrder,
  Fault,
  QueuedAnswer,
  TestAnswer,
} from '../contract/control/queued-answer.js';
export type {ReceivedRequest, RequestFilter} from '../contract/control/received-request.js';
export type {
  StartServerOptions,
  TestDevice,
  TestKey,
  TestPartner,
  TestServer,
} from './test-server.js';

/**
 * Starts a demo or mock server of the interface. Throws 9001 for an option that is not usable, 9015
 * for a partner or a key, 9020 when the port cannot be used.
 */
export async function startServer(options: StartServerOptions = {}): Promise<TestServer> {
  const [{checkStartOptions, checkFilter}, {checkAnswerOrder}] = await Promise.all([
    import('./start-options.js'),
    import('./operations/answer-order.js'),
  ]);
  const checked = await inWords(() => checkStartOptions(options));
  const service = await inWords(() => launch(launchOptions(checked)));
  const {control} = service;
  return {
    url: service.url,
    partner: firstPartner(checked),
    requests: (filter = {}) => filterRequests(control.received.list(), checkFilter(filter)),
    forgetRequests: () => control.received.clear(),
    answer: (order) => control.answers.add(checkAnswerOrder(order)),
    answers: () => control.answers.list(),
    removeAnswers: (id) => control.answers.remove(id),
    reset: () => control.reset(),
    close: () => service.close(),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** What `run` returns, its errors in words of options. */
async function inWords<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof PaylensError ? inOptions(error) : error;
  }
}

function launchOptions(options: StartServerOptions): LaunchOptions {
  const {mode = 'demo', partners, devices, keys, fail, now, ...rest} = options;
  return {
    ...rest,
    mode,
    now: now && (() => suiteTime(now)),
    registry: testRegistry({partners, devices, keys}),
    fails: fail === undefined ? undefined : spreadFails(shareOf(String(fail)) ?? 0),
  };
}

/** The time by a suite's clock. Throws 9001 if it fails. */
function suiteTime(now: () => number): number {
  let time: number;
  try {
    time = now();
  } catch (cause) {
    throw new PaylensError(9001, 'now: it throws an error', {cause});
  }
  if (Number.isFinite(time)) return time;
  throw new PaylensError(9001, 'now: expected a function that returns milliseconds');
}

/** Hints with names of options in place of flags, which a suite does not have. */
const HINTS: Readonly<Record<number, string>> = {
  9001: 'Correct the options of startServer.',
  9015: 'Correct `partners` or `keys` in the options of startServer.',
  9020: 'Choose another `port`, or leave it out for any free port.',
};

function inOptions(error: PaylensError): PaylensError {
  const {code, detail, cause} = error;
  const hint = HINTS[code];
  if (hint === undefined) return error;
  return new PaylensError(code, redactCardNumbers(redactKeys(detail)), {hint, cause});
}

function firstPartner({partners}: StartServerOptions): TestServer['partner'] {
  const [first] = partners ?? [];
  if (!first) return {...DEMO_PARTNER};
  const {partnerId, partnerKey = '', sharedKey = ''} = first;
  return {partnerId, partnerKey, sharedKey};
}
