import {type AuthContext, refusalOf} from '../../auth/authenticate.js';
import {challengesFor} from '../../auth/challenges.js';
import type {DigestNonces} from '../../auth/digest-nonces.js';
import type {ReplayStore} from '../../auth/replay/replay-store.js';
import type {SteadyClock} from '../../auth/steady-clock.js';
import {AUTH_METHODS} from '../../contract/auth-method.js';
import type {Registry} from '../registry/registry.js';

interface AuthenticationParts {
  readonly clock: SteadyClock;
  readonly replay: ReplayStore;
  /** Called every time: a shared store may bring the secret of the other services. */
  readonly digestNonces: () => DigestNonces;
}

/** Authentication as one service does it. */
export interface ServiceAuthentication {
  /** What `authenticate` compares a request with. */
  readonly context: (registry: Registry) => AuthContext;
  /** The WWW-Authenticate values for what `authenticate` threw. */
  readonly challenges: (error: unknown) => string[];
}

/** Joins the authentication methods to a service's clock, replay store and partners. */
export function createAuthentication({
  clock,
  replay,
  digestNonces,
}: AuthenticationParts): ServiceAuthentication {
  return {
    context: ({partners}) => ({
      partners,
      now: clock.now,
      digestNonces: digestNonces(),
      replay,
    }),
    challenges: (error) => {
      const stale = refusalOf(error)?.stale ?? false;
      return [...challengesFor(AUTH_METHODS, {nonce: digestNonces().issue(clock.now()), stale})];
    },
  };
}
