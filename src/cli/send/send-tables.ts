import {type Answer, explainCode} from '../../client/answer.js';
import type {RepeatReport} from '../../client/repeat.js';
import type {Exchange} from '../../client/sender.js';
import type {Operation} from '../../contract/operation.js';
import type {ProcessPayloadResult} from '../../contract/process-payload.js';
import {cardRows} from '../../engine/card-rows.js';
import {cutText, foreignText} from '../output/foreign-text.js';
import {type Layout, stack} from '../output/layout/layout.js';
import {type Member, record, single} from '../output/layout/table.js';
import {printable} from '../output/terminal-text.js';

/** The response for people: status, time, error with explanation, and the card. */
export function exchangeTable(exchange: Exchange, operation: Operation, reveal: boolean): Layout {
  const {status, answer, milliseconds, attempts} = exchange;
  const rows: [string, string | undefined][] = [
    ['status', `${status}, ${answer.success ? 'success' : 'failure'}`],
    ['time', `${milliseconds.toFixed(1)} ms${attempts > 1 ? ` (attempt ${attempts})` : ''}`],
    ...(answer.success ? [] : errorRows(exchange)),
    ['messageId', answer.messageId],
    ['reference', answer.reference],
  ];
  const answered = record(rows.flatMap(row), 'answer');
  if (operation !== 'process-payload' || !answer.success) return answered;
  return stack(answered, answeredCard(answer, reveal));
}

function answeredCard(answer: Answer, reveal: boolean): Layout {
  const shown = reveal ? (text: string) => printable(cutText(text)) : foreignText;
  const rows = cardRows(answer as unknown as ProcessPayloadResult, reveal);
  return record(rows.map(([name, value]) => [name, shown(value)]));
}

/** How many requests went: outcomes, and the latencies in milliseconds. */
export function reportTable(report: RepeatReport): Layout {
  const {requests, succeeded, seconds, perSecond, outcomes, latency} = report;
  const rows: Member[] = [
    ['requests', `${requests}, ${succeeded} successful`],
    ['time', `${seconds} s, ${perSecond} requests/s`],
    ...Object.entries(outcomes).map(
      ([outcome, count]) => [outcomeName(outcome), String(count)] as const,
    ),
  ];
  const overview = record(rows, 'repeat');
  if (!latency) return overview;
  const names = Object.keys(latency).map((name) => `${name} ms`);
  const values = Object.values(latency).map((value) => value.toFixed(2));
  return stack(overview, single(names, values));
}

// A bare number would not be recognisable as an HTTP status.
function outcomeName(outcome: string): string {
  return /^\d{3}$/.test(outcome) ? `status ${outcome}` : outcome;
}

function errorRows({answer, why}: Exchange): [string, string | undefined][] {
  const {errCode = 0, errMessage} = answer;
  const known = explainCode(errCode);
  return [
    ['errCode', String(errCode)],
    ['errMessage', errMessage],
    ['Paylens-Why', why],
    ['meaning', known?.message ?? 'unknown error code'],
    ['what to do', known?.hint],
  ];
}

function row([name, value]: [string, string | undefined]): [string, string][] {
  if (typeof value !== 'string') return [];
  return [[name, foreignText(value)]];
}
