import {isLoopbackUrl} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {type Upstream, upstreamOrigin} from '../../service/http/send-upstream.js';
import {flag} from '../flags/flag.js';

/** How a service stands in front of an endpoint. */
export const upstreamFlags = {
  upstream: flag.text(
    'URL',
    'pass requests on to this endpoint (https, or http on this machine), show them in the inspector, and say why it refused some',
    {exclusive: ['demo', 'mock', 'devices', 'allow-unregistered', 'replay-store']},
  ),
};

interface UpstreamFlags {
  readonly upstream?: string | undefined;
  readonly port: number;
}

/** The endpoint to pass requests on to, if there is one. Throws 9001. */
export function upstreamOf({upstream, port}: UpstreamFlags): Upstream | undefined {
  if (upstream === undefined) return undefined;
  const origin = upstreamOrigin(upstream);
  const isSelf = isLoopbackUrl(origin) && Number(origin.port || 80) === port;
  if (isSelf) throw new PaylensError(9001, '--upstream: expected another port than that of --port');
  return {origin};
}
