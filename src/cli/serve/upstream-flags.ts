import {readFile} from 'node:fs/promises';
import {isLoopbackUrl} from '../../contract/loopback.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemReason} from '../../files/system-error.js';
import {openAppended} from '../../files/write-durably.js';
import {type Upstream, upstreamOrigin} from '../../service/http/send-upstream.js';
import type {LaunchOptions} from '../../service/launch-options.js';
import {type FlagValues, flag} from '../flags/flag.js';

/** How a service stands in front of an endpoint. */
export const upstreamFlags = {
  upstream: flag.text(
    'URL',
    'pass requests on to this endpoint (https, or http on this machine), show them in the inspector, and say why it refused some',
    {exclusive: ['demo', 'mock', 'devices', 'allow-unregistered', 'replay-store']},
  ),
  record: flag.text('FILE', 'append each exchange to this file (JSONL), card data masked', {
    dependsOn: ['upstream'],
  }),
  'keep-cards': flag.on('do not mask cards that the published test keys open', {
    dependsOn: ['record'],
  }),
  replay: flag.text('FILE', 'answer from a record of --record; what is not in it, as --mock does', {
    exclusive: ['demo', 'upstream', 'keyfile', 'passphrase-file', 'identity', 'devices'],
  }),
};

type UpstreamFlags = FlagValues<typeof upstreamFlags> & {readonly port: number};

/** The options for an endpoint, a record of it, and answers from one. Throws 9001, 9002 and 9014. */
export async function upstreamOptions(flags: UpstreamFlags): Promise<Partial<LaunchOptions>> {
  const {record, replay, 'keep-cards': keepsCards = false} = flags;
  return {
    upstream: upstreamOf(flags),
    ...(record !== undefined && {
      record: {append: (await openAppended(record, OWN_LINE)).append, keepsCards},
    }),
    ...(replay !== undefined && {recorded: await recordedIn(replay)}),
  };
}

const OWN_LINE = /^\{"time":"[^"]*",(?:"masked":true,)?"request":\{/;

async function recordedIn(path: string) {
  const {RecordedAnswers} = await import('../../service/operations/recorded-answers.js');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new PaylensError(9002, `${path}: ${systemReason(error)}`);
  });
  return new RecordedAnswers(text.split('\n'));
}

/** The endpoint to pass requests on to, if there is one. Throws 9001. */
function upstreamOf({upstream, port}: UpstreamFlags): Upstream | undefined {
  if (upstream === undefined) return undefined;
  const origin = upstreamOrigin(upstream);
  const isSelf = isLoopbackUrl(origin) && Number(origin.port || 80) === port;
  if (isSelf) throw new PaylensError(9001, '--upstream: expected another port than that of --port');
  return {origin};
}
