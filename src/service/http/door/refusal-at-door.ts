import type {IncomingMessage} from 'node:http';
import type {PaylensError} from '../../../contract/paylens-error.js';
import {pathOf, type Refusal, stopping} from '../refusals.js';
import {framingError} from '../request-head.js';
import {hostError} from './host-error.js';
import {originError} from './origin-error.js';
import type {ServedHosts} from './served-hosts.js';

/** Rules that a request must satisfy before it is routed. */
export interface DoorRules {
  readonly hosts: ServedHosts;
  readonly scheme: 'http' | 'https';
  /** Whether the keys are published: what a browser could be made to ask is refused. */
  readonly isTest: boolean;
  readonly isDraining: () => boolean;
}

/** Probes of load balancers name no host that could be known; what they learn is known to all. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** They show what is in the package, and nothing of what was done. */
const STATELESS = /^\/(?:healthz|readyz|openapi\.json|docs\/?)$/;

/** The reason to reject a request regardless of its path. */
export function refusalAtDoor(request: IncomingMessage, rules: DoorRules): Refusal | undefined {
  const error = errorAtDoor(request, rules);
  if (error) return {error, headers: {connection: 'close'}};
  // The information routes say themselves that the service is not ready.
  return rules.isDraining() && request.method !== 'GET' ? stopping() : undefined;
}

function errorAtDoor(request: IncomingMessage, rules: DoorRules): PaylensError | undefined {
  const {hosts, scheme, isTest} = rules;
  const malformed = framingError(request);
  if (malformed) return malformed;
  const path = pathOf(request);
  const foreign = PROBES.has(path) ? undefined : hostError(request, hosts);
  if (foreign) return foreign;
  return isTest && !STATELESS.test(path) ? originError(request, scheme) : undefined;
}
