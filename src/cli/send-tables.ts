import {cardOf, explainCode} from '../client/answer.js';
import type {Operation} from '../client/operations.js';
import type {RepeatReport} from '../client/repeat.js';
import type {Exchange} from '../client/sender.js';
import {redactCardNumbers} from '../contract/redact-card-numbers.js';
import {cardTable} from './card-table.js';
import {table} from './output.js';
import {printable} from './printable.js';
import {wrapText} from './wrap-text.js';

/** What came back, for people: status, time, error with our explanation, and the card. */
export async function exchangeTable(
  exchange: Exchange,
  operation: Operation,
  reveal: boolean,
): Promise<string> {
  const {status, answer, milliseconds, attempts} = exchange;
  const rows: [string, string | undefined][] = [
    ['status', `${status}, ${answer.success ? 'success' : 'failure'}`],
    ['time', `${milliseconds.toFixed(1)} ms${attempts > 1 ? ` (attempt ${attempts})` : ''}`],
    ...(answer.success ? [] : errorRows(exchange)),
    ['messageId', answer.messageId],
    ['reference', answer.reference],
  ];
  const answered = await table(['answer', ''], rows.flatMap(row));
  if (operation !== 'payload' || !answer.success) return answered;
  return `${answered}\n${await cardTable(cardOf(answer), reveal)}`;
}

/** How many requests went: outcomes, and the latencies in milliseconds. */
export async function reportTable(report: RepeatReport): Promise<string> {
  const {requests, succeeded, seconds, perSecond, outcomes, latency} = report;
  const rows = [
    ['requests', `${requests}, ${succeeded} successful`],
    ['time', `${seconds} s, ${perSecond} a second`],
    ...Object.entries(outcomes).map(([outcome, count]) => [outcomeName(outcome), String(count)]),
  ];
  const overview = await table(['repeat', ''], rows);
  if (!latency) return overview;
  const names = Object.keys(latency).map((name) => `${name} ms`);
  const values = Object.values(latency).map((value) => value.toFixed(2));
  return `${overview}\n${await table(names, [values])}`;
}

// A bare number would not tell that it is an HTTP status.
function outcomeName(outcome: string): string {
  return /^\d{3}$/.test(outcome) ? `status ${outcome}` : outcome;
}

function errorRows({answer}: Exchange): [string, string | undefined][] {
  const {errCode = 0, errMessage} = answer;
  const known = explainCode(errCode);
  return [
    ['errCode', String(errCode)],
    ['errMessage', errMessage],
    ['meaning', known?.message ?? 'a code that paylens does not know'],
    ['what to do', known?.hint],
  ];
}

// What the other side sends must not steer the terminal, nor show a card number.
function row([name, value]: [string, string | undefined]): [string, string][] {
  if (typeof value !== 'string') return [];
  return [[name, wrapText(redactCardNumbers(printable(value)), 80)]];
}
