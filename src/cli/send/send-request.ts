import {explainCode} from '../../client/answer.js';
import {repeat} from '../../client/repeat.js';
import type {RequestContent, Sender} from '../../client/sender.js';
import type {Watcher} from '../../client/transport.js';
import {type AuthMethod, KEY_OF_METHOD} from '../../contract/auth-method.js';
import {isLoopbackUrl} from '../../contract/loopback.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import type {Operation} from '../../contract/operation.js';
import {isJsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {readBody} from '../input/body-input.js';
import {note, printJson, printResult, progress, warn} from '../output/output.js';
import {checkBaseUrl} from './base-url.js';
import {loadSender} from './load-sender.js';
import {findProfile, type Profile, readProfiles} from './profiles.js';
import type {SendFlags} from './send-flags.js';
import {exchangeTable, reportTable} from './send-tables.js';

/** A request to send, as the flags say. */
interface Sending {
  readonly operation: Operation;
  readonly body: RequestContent;
  readonly flags: SendFlags;
}

/**
 * Sends a request, once or many times, prints the response, and sets the exit code. `content` gives
 * its members unless `--body-file` replaces them. Throws 9001, 9002, 9015, 9020, 9021 and what
 * opening a keyfile throws.
 */
export async function sendWithFlags(
  operation: Operation,
  flags: SendFlags,
  content: () => Promise<RequestContent> | RequestContent,
): Promise<void> {
  const file = flags['body-file'];
  const body = file === undefined ? await content() : (await readBody(file)).bytes;
  const {sender, close} = await openWithFlags(flags);
  try {
    const send = flags.count > 1 ? sendOften : sendOnce;
    await send(sender, {operation, body, flags});
  } finally {
    await close();
  }
}

const NETWORK_EXIT = 6;

/** The sender that the flags describe, and how to close it. Throws as sendWithFlags, but for 9020 and 9021. */
export async function openWithFlags(flags: SendFlags) {
  const profile = await profileOf(flags);
  const url = flags['base-url'] ?? profile?.url;
  if (url === undefined)
    throw new PaylensError(9001, 'missing base URL', {
      hint: 'Pass --base-url, or add a profile: `paylens profile add NAME --base-url URL`.',
    });
  const baseUrl = checkBaseUrl(url);
  const method = flags.method ?? (profile?.method as AuthMethod | undefined) ?? 'hmac';
  if (new URL(baseUrl).protocol === 'http:' && !isLoopbackUrl(baseUrl))
    warn(`${HTTP_RISKS[method]} The card data in the response can be read as well. Use https.`);
  const keyfile = flags.keyfile ?? (profile?.keyfile === undefined ? undefined : [profile.keyfile]);
  const senderFlags = {...flags, partner: flags.partner ?? profile?.partner, keyfile};
  const credentials = await loadSender(senderFlags, KEY_OF_METHOD[method]);
  const {openSender} = await import('../../client/open-sender.js');
  return openSender({
    baseUrl,
    method,
    credentials,
    retries: flags.retries,
    timeout: flags.timeout,
    connections: flags.concurrency,
    watcher: flags.verbose ? await traffic() : undefined,
  });
}

const SIGNED = 'Over plain HTTP the request can be read, but not changed: it is signed.';
/** What others on the way can do with a request over HTTP. */
const HTTP_RISKS: Readonly<Record<AuthMethod, string>> = {
  transparent: 'Over plain HTTP the partner key in the body can be read and used by others.',
  basic: 'Over plain HTTP the partner key in the header can be read and used by others.',
  digest: 'Over plain HTTP the partner key can be guessed offline, and the body can be changed.',
  'digest-preemptive':
    'Over plain HTTP the partner key can be guessed offline, and the body can be changed.',
  hmac: SIGNED,
  rsa: SIGNED,
};

async function traffic(): Promise<Watcher> {
  const {replyText, requestText} = await import('./wire-text.js');
  return {sent: (call) => note(requestText(call)), received: (reply) => note(replyText(reply))};
}

// The default profile is ignored if both endpoint and partner are given.
async function profileOf(flags: SendFlags): Promise<Profile | undefined> {
  const isNamed = flags['base-url'] !== undefined && flags.partner !== undefined;
  if (flags.profile === undefined && isNamed) return undefined;
  const known = await readProfiles();
  const name = flags.profile ?? known.current;
  return name === undefined ? undefined : findProfile(known, name);
}

async function sendOnce(sender: Sender, {operation, body, flags}: Sending): Promise<void> {
  const exchange = await sender.send(operation, body);
  const {status, answer, attempts, skew, why} = exchange;
  const {success, errCode = 0} = answer;
  if (!success) process.exitCode = exitOf(errCode);
  if (flags.json) {
    const known = success ? undefined : explainCode(errCode);
    printJson({
      success,
      status,
      milliseconds: Number(exchange.milliseconds.toFixed(1)),
      attempts,
      ...(why !== undefined && {why: redactCardNumbers(why)}),
      explanation: known && {message: known.message, hint: known.hint},
      response: success ? answer : redactedMembers(answer),
    });
    return;
  }
  printResult(exchangeTable(exchange, operation, flags.reveal ?? false));
  if (operation === 'process-payload' && success && !flags.reveal)
    note('Card data is masked; use --reveal to show it.');
  if (status === 401 && skew !== undefined && Math.abs(skew) > 60)
    warn(
      `The local clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the server's.`,
    );
}

/** An error may quote the request in any of its members; a masked number becomes text. */
function redactedMembers(value: unknown): unknown {
  if (typeof value === 'string') return redactCardNumbers(value);
  if (typeof value === 'number') {
    const shown = redactCardNumbers(String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map(redactedMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, one]) => [redactCardNumbers(name), redactedMembers(one)]),
  );
}

async function sendOften(sender: Sender, {operation, body, flags}: Sending): Promise<void> {
  const {count, concurrency} = flags;
  const report = await repeat(() => sender.send(operation, body), {
    count,
    concurrency,
    done: (finished) => progress(`${finished}/${count}`),
  });
  progress('');
  if (report.firstError !== undefined) process.exitCode = exitOf(report.firstError);
  if (flags.json) printJson(report);
  else printResult(reportTable(report));
}

// Exit code 1 is for defects of paylens, not of the endpoint.
function exitOf(code: number): number {
  const exit = explainCode(code)?.exit ?? NETWORK_EXIT;
  return exit === 1 ? NETWORK_EXIT : exit;
}
