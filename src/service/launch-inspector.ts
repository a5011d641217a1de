import {createHash, randomBytes} from 'node:crypto';
import {performance} from 'node:perf_hooks';
import type {SteadyClock} from '../auth/steady-clock.js';
import {packageVersion} from '../files/package-root.js';
import type {Control} from './control/control.js';
import type {PaylensServer} from './create-server.js';
import {MOST_RECEIVED} from './information/received-requests.js';
import type {CapturedRequests} from './inspector/captured-requests.js';
import {addInspectorRoutes, type Inspect} from './inspector/inspector-routes.js';
import {type InspectorSecrets, InspectorToken} from './inspector/inspector-token.js';
import {LocalInspector} from './inspector/local-inspector.js';
import type {LaunchOptions, Shared} from './launch-options.js';
import {
  answerRequest,
  type FinishedRequest,
  type Incoming,
  type Outcome,
  type ServiceContext,
} from './operations/answer-request.js';
import type {Registry} from './registry/registry.js';

interface Inspected {
  readonly options: LaunchOptions;
  readonly captured: CapturedRequests;
  readonly control: Control;
  readonly clock: SteadyClock;
  readonly context: ServiceContext;
  readonly report: (request: FinishedRequest) => void;
  readonly bodyLimit: number;
  readonly registry: () => Registry;
  readonly digestNonce: () => string;
  readonly url: () => string;
  readonly port: () => number;
}

/** Whether a service offers the inspector: in demo and mock always. */
export function hasInspector({mode, inspector}: LaunchOptions): boolean {
  return mode !== 'real' || inspector !== undefined;
}

/** Offers the inspector of a service, if it has one; what this process answers it. */
export function openInspector({app, limited, holdOpen}: PaylensServer, own: Inspected) {
  const {options, captured, control, clock, context, report, bodyLimit, registry, digestNonce} =
    own;
  const {mode, shared} = options;
  const inspector = new LocalInspector({
    ...{captured, process: process.pid, mode, registry, bodyLimit, digestNonce, url: own.url},
    answer: (incoming) => answerAndReport(incoming, context, report),
    now: clock.now,
  });
  if (!hasInspector(options)) return inspector;
  const ownInspect: Inspect = async (question) => {
    const reply = await inspector.answer(question);
    return reply === undefined ? [] : [reply];
  };
  addInspectorRoutes(app, {
    ...{mode, control, limited, holdOpen, kept: MOST_RECEIVED, version: packageVersion()},
    server: createHash('sha256')
      .update(shared?.digestSecret ?? randomBytes(32))
      .digest('hex'),
    door: {scheme: options.tls ? 'https' : 'http', port: own.port},
    token: options.inspector && tokenOf(options.inspector, clock, shared?.claimToken),
    inspect: shared?.inspect ?? ownInspect,
  });
  return inspector;
}

/** Answers a request that comes from no connection; faults that a connection has it cannot have. */
async function answerAndReport(
  incoming: Incoming,
  context: ServiceContext,
  report: (request: FinishedRequest) => void,
): Promise<Outcome> {
  const started = performance.now();
  const outcome = await answerRequest(incoming, context);
  const milliseconds = performance.now() - started;
  const {operation, target, rawHeaders, body} = incoming;
  report({outcome, operation, target, bodyBytes: body.length, milliseconds, rawHeaders, body});
  return outcome;
}

function tokenOf(
  secrets: InspectorSecrets,
  {elapsed}: SteadyClock,
  claim: Shared['claimToken'] | undefined,
): InspectorToken {
  let isUsed = false;
  const claimOwn = () => {
    const isFirst = !isUsed;
    isUsed = true;
    return isFirst;
  };
  return new InspectorToken({secrets, claim: claim ?? claimOwn, elapsed});
}
