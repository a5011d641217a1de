import {type Answer, explainCode} from '../../client/answer.js';
import {type RepeatReport, repeat} from '../../client/repeat.js';
import type {Exchange, RequestContent, Sender} from '../../client/sender.js';
import type {Watcher} from '../../client/transport.js';
import {type AuthMethod, KEY_OF_METHOD} from '../../contract/auth-method.js';
import {isLoopbackUrl} from '../../contract/loopback.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import type {Operation} from '../../contract/operation.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {readBody} from '../input/body-input.js';
import {askText} from '../input/prompt.js';
import {note, printJson, printResult, progress, warn} from '../output/output.js';
import {checkBaseUrl} from './base-url.js';
import {loadSender} from './load-sender.js';
import {readNetwork} from './network-flags.js';
import {findProfile, type Profile, readProfiles} from './profiles.js';
import type {SendFlags} from './send-flags.js';
import {exchangeTable, reportTable} from './send-tables.js';
import type {SenderFlags} from './sender-flags.js';

/**
 * Sends a request as the flags say, once or many times, prints what came back, and sets the exit
 * code. `content` is asked for its members when no body is given as it is. Throws 9001, 9002, 9015,
 * 9020, 9021 and what opening a keyfile throws.
 */
export async function sendAsAsked(
  operation: Operation,
  flags: SendFlags,
  content: () => Promise<RequestContent> | RequestContent,
): Promise<void> {
  const body =
    flags['body-file'] === undefined ? await content() : (await readBody(flags['body-file'])).bytes;
  const {sender, close} = await openAsAsked(flags);
  try {
    if (flags.count > 1) await sendOften(sender, operation, body, flags);
    else await sendOnce(sender, operation, body, flags);
  } finally {
    await close();
  }
}

const NETWORK_EXIT = 6;

async function openAsAsked(flags: SendFlags) {
  const profile = await profileOf(flags);
  const baseUrl = checkBaseUrl(flags['base-url'] ?? profile?.url ?? (await askUrl()));
  warnOfClearText(baseUrl);
  const method = flags.method ?? (profile?.method as AuthMethod | undefined) ?? 'hmac';
  const network = await readNetwork(baseUrl, {
    proxy: flags.proxy ?? profile?.proxy,
    ca: flags.ca ?? profile?.ca,
  });
  const credentials = await loadSender(withProfile(flags, profile), KEY_OF_METHOD[method]);
  const {openSender} = await import('../../client/open-sender.js');
  return openSender({
    baseUrl,
    method,
    credentials,
    retries: flags.retries,
    timeout: flags.timeout,
    connections: flags.concurrency,
    watcher: flags.verbose ? await traffic() : undefined,
    ...network,
  });
}

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

function withProfile(flags: SendFlags, profile: Profile | undefined): SenderFlags {
  const keyfile = flags.keyfile ?? (profile?.keyfile === undefined ? undefined : [profile.keyfile]);
  return {...flags, partner: flags.partner ?? profile?.partner, keyfile};
}

function askUrl(): Promise<string> {
  const noTerminal = new PaylensError(9001, 'missing base URL', {
    hint: 'Pass --base-url, or add a profile: `paylens profile add NAME --base-url URL`.',
  });
  return askText('Base URL:', noTerminal);
}

function warnOfClearText(baseUrl: string): void {
  const isPlain = new URL(baseUrl).protocol === 'http:';
  if (isPlain && !isLoopbackUrl(baseUrl))
    warn('unencrypted HTTP: keys and card data are sent in cleartext. Use https.');
}

async function sendOnce(
  sender: Sender,
  operation: Operation,
  content: RequestContent,
  flags: SendFlags,
): Promise<void> {
  const exchange = await sender.send(operation, content);
  const {status, answer, attempts, skew} = exchange;
  if (!answer.success) process.exitCode = exitOf(answer.errCode);
  const milliseconds = Number(exchange.milliseconds.toFixed(1));
  const explanation = answer.success ? undefined : explanationOf(exchange);
  if (flags.json) {
    printJson({
      success: answer.success,
      status,
      milliseconds,
      attempts,
      explanation,
      response: withoutCardNumber(answer),
    });
    return;
  }
  printResult(exchangeTable(exchange, operation, flags.reveal ?? false));
  if (operation === 'process-payload' && answer.success && !flags.reveal)
    note('Card data is masked; use --reveal to show it.');
  if (status === 401 && skew !== undefined && Math.abs(skew) > 60)
    warn(
      `The local clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the server's.`,
    );
}

/** An error may quote what was sent, in any of its members. */
function withoutCardNumber(answer: Answer): Answer {
  return answer.success ? answer : (redactedMembers(answer) as Answer);
}

function redactedMembers(value: unknown): unknown {
  if (typeof value === 'string') return redactCardNumbers(value);
  if (typeof value === 'number') return redactedNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(redactedMembers);
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, one]) => [redactCardNumbers(name), redactedMembers(one)]),
  );
}

/** A number with asterisks in it can only be shown as a text. */
function redactedNumber(value: number): number | string {
  const text = String(value);
  const shown = redactCardNumbers(text);
  return shown === text ? value : shown;
}

function explanationOf({answer}: Exchange): {message: string; hint: string} | undefined {
  const known = explainCode(answer.errCode ?? 0);
  return known && {message: known.message, hint: known.hint};
}

async function sendOften(
  sender: Sender,
  operation: Operation,
  content: RequestContent,
  flags: SendFlags,
): Promise<void> {
  const {count, concurrency} = flags;
  const report = await repeat(() => sender.send(operation, content), {
    count,
    concurrency,
    done: (finished) => progress(bar(finished, count)),
  });
  progress('');
  if (report.firstError !== undefined) process.exitCode = exitOf(report.firstError);
  if (flags.json) printJson(report satisfies RepeatReport);
  else printResult(reportTable(report));
}

function bar(finished: number, count: number): string {
  const width = 30;
  const filled = Math.floor((finished / count) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${finished}/${count}`;
}

// Exit code 1 is for defects of ours, not of the other side.
function exitOf(code: number | undefined): number {
  const exit = explainCode(code ?? 0)?.exit ?? NETWORK_EXIT;
  return exit === 1 ? NETWORK_EXIT : exit;
}
