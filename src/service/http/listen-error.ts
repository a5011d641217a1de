import {PaylensError} from '../../contract/paylens-error.js';

const ANOTHER_PORT = 'Choose another port with --port, or --port 0 for any free port.';
const ANOTHER_HOST = 'Choose an address of this machine with --host.';

const CAUSES: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EADDRINUSE: ['port already in use', ANOTHER_PORT],
  EACCES: ['permission denied for this port', ANOTHER_PORT],
  EADDRNOTAVAIL: ['address not available on this machine', ANOTHER_HOST],
  ENOTFOUND: ['host name not found', ANOTHER_HOST],
};

/** The error 9020 for an address that cannot be listened on. */
export function listenError(error: unknown, host: string, port: number): PaylensError {
  const {code = 'unknown'} = error as NodeJS.ErrnoException;
  const [why, hint] = CAUSES[code] ?? [code, ANOTHER_PORT];
  return new PaylensError(9020, `cannot listen on ${host} port ${port}: ${why}`, {hint});
}
