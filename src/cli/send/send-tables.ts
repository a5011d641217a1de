import {type Answer, cardOf, explainCode} from '../../client/answer.js';
import type {RepeatReport} from '../../client/repeat.js';
import type {Exchange} from '../../client/sender.js';
import type {Operation} from '../../contract/operation.js';
import {cardRows} from '../output/card-table.js';
import {cutText, foreignText} from '../output/foreign-text.js';
import {table} from '../output/table.js';
import {printable} from '../output/terminal-text.js';
import {wrapText} from '../output/wrap-text.js';

/** The response for people: status, time, error with explanation, and the card. */
export function exchangeTable(exchange: Exchange, operation: Operation, reveal: boolean): string {
  const {status, answer, milliseconds, attempts} = exchange;
  const rows: [string, string | undefined][] = [
    ['status', `${status}, ${answer.success ? 'success' : 'failure'}`],
    ['time', `${milliseconds.toFixed(1)} ms${attempts > 1 ? ` (attempt ${attempts})` : ''}`],
    ...(answer.success ? [] : errorRows(exchange)),
    ['messageId', answer.messageId],
    ['reference', answer.reference],
  ];
  const answered = table(['answer', ''], rows.flatMap(row));
  if (operation !== 'process-payload' || !answer.success) return answered;
  return `${answered}\n${answeredCard(answer, reveal)}`;
}

function answeredCard(answer: Answer, reveal: boolean): string {
  const shown = reveal ? (text: string) => printable(cutText(text)) : foreignText;
  const rows = cardRows(cardOf(answer), reveal);
  return table(
    [],
    rows.map(([name, value]) => [name, wrapText(shown(value), 80)]),
  );
}

/** How many requests went: outcomes, and the latencies in milliseconds. */
export function reportTable(report: RepeatReport): string {
  const {requests, succeeded, seconds, perSecond, outcomes, latency} = report;
  const rows = [
    ['requests', `${requests}, ${succeeded} successful`],
    ['time', `${seconds} s, ${perSecond} requests/s`],
    ...Object.entries(outcomes).map(([outcome, count]) => [outcomeName(outcome), String(count)]),
  ];
  const overview = table(['repeat', ''], rows);
  if (!latency) return overview;
  const names = Object.keys(latency).map((name) => `${name} ms`);
  const values = Object.values(latency).map((value) => value.toFixed(2));
  return `${overview}\n${table(names, [values])}`;
}

// A bare number would not be recognisable as an HTTP status.
function outcomeName(outcome: string): string {
  return /^\d{3}$/.test(outcome) ? `status ${outcome}` : outcome;
}

function errorRows({answer}: Exchange): [string, string | undefined][] {
  const {errCode = 0, errMessage} = answer;
  const known = explainCode(errCode);
  return [
    ['errCode', String(errCode)],
    ['errMessage', errMessage],
    ['meaning', known?.message ?? 'unknown error code'],
    ['what to do', known?.hint],
  ];
}

function row([name, value]: [string, string | undefined]): [string, string][] {
  if (typeof value !== 'string') return [];
  return [[name, wrapText(foreignText(value), 80)]];
}
