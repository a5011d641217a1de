import {filterRequests} from '../contract/control/received-request.js';
import {PaylensError} from '../contract/paylens-error.js';
import {parseHostName} from './http/door/authority.js';
import {type LaunchedService, launch} from './launch.js';
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
  const service = await started(options);
  const {control} = service;
  const {checkAnswerOrder} = await import('./operations/answer-order.js');
  return {
    url: service.url,
    partner: partnerOf(options),
    requests: (filter = {}) => filterRequests(control.received.list(), filter),
    forgetRequests: () => control.received.clear(),
    answer: (order) => control.answers.add(checkAnswerOrder(order)),
    answers: () => control.answers.list(),
    removeAnswers: (id) => control.answers.remove(id),
    reset: () => control.forget(),
    close: () => service.close(),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

async function started(options: StartServerOptions): Promise<LaunchedService> {
  try {
    return await launch(launchOptions(options));
  } catch (error) {
    throw error instanceof PaylensError ? inOptions(error) : error;
  }
}

const NAMES: Readonly<Record<keyof StartServerOptions, true>> = {
  mode: true,
  port: true,
  partners: true,
  devices: true,
  keys: true,
  explain: true,
  strict: true,
  extended: true,
  fail: true,
  now: true,
  latency: true,
  timeouts: true,
  allowedHosts: true,
  nonces: true,
};

// Suites written in JavaScript have no compiler to report these.
function launchOptions(options: StartServerOptions): LaunchOptions {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(NAMES, name));
  if (unknown !== undefined)
    throw new PaylensError(9001, `unknown option: expected ${Object.keys(NAMES).join(', ')}`);
  const {mode = 'demo', partners, devices, keys, fail, ...rest} = options;
  if (mode !== 'demo' && mode !== 'mock')
    throw new PaylensError(9001, 'mode: expected demo or mock');
  const {port = 0, latency = 0, allowedHosts = []} = rest;
  if (allowedHosts.some((host) => parseHostName(host) === undefined))
    throw new PaylensError(
      9001,
      'allowedHosts: expected names or addresses without scheme or port',
    );
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PaylensError(9001, 'port: expected a whole number from 0 to 65535');
  if (!(latency >= 0 && Number.isFinite(latency)))
    throw new PaylensError(9001, 'latency: expected milliseconds');
  return {
    ...rest,
    mode,
    registry: testRegistry({
      ...(partners && {partners}),
      ...(devices && {devices}),
      ...(keys && {keys}),
    }),
    fails: fail === undefined ? undefined : failsOf(fail),
  };
}

function failsOf(fail: number | string): () => boolean {
  const share = shareOf(String(fail));
  if (share === undefined)
    throw new PaylensError(9001, 'fail: expected a share such as 0.05, or a percentage such as 5%');
  return spreadFails(share);
}

/** What to do about an error, by the names of options: those of flags mean nothing in a suite. */
const HINTS: Readonly<Record<number, string>> = {
  9001: 'Correct the options of startServer.',
  9015: 'Correct `partners` or `keys` in the options of startServer.',
  9020: 'Choose another `port`, or leave it out for any free port.',
};

function inOptions(error: PaylensError): PaylensError {
  const {code, detail, cause} = error;
  const hint = HINTS[code];
  if (hint === undefined) return error;
  return new PaylensError(code, detail, {hint, cause});
}

function partnerOf({partners}: StartServerOptions): TestServer['partner'] {
  const [first] = partners ?? [];
  if (!first) return DEMO_PARTNER;
  const {partnerId, partnerKey = '', sharedKey = ''} = first;
  return {partnerId, partnerKey, sharedKey};
}
