import {type ExchangeRecord, parseExchange} from '../../contract/control/exchange-record.js';
import {ERROR_CODES} from '../../contract/error-catalogue.js';
import {OPERATION_BY_PATH, type Operation} from '../../contract/operation.js';
import {bodyObject, type JsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {errorAnswer, type HttpAnswer} from '../http/http-message.js';
import {answerRequest, type Incoming, type Outcome, type ServiceContext} from './answer-request.js';
import {textMember} from './scripted-answer.js';

/** The answers to one request, in the order in which they were recorded. */
interface RecordedRequest {
  readonly key: string;
  readonly answers: ExchangeRecord[];
  next: number;
}

/** What tells requests of an operation apart, whoever signed them. */
const MEMBERS: Readonly<Record<Operation, readonly string[]>> = {
  'validate-partner': [],
  'validate-device': ['serial', 'firmware', 'clientId'],
  'process-payload': ['deviceType', 'devicePayload'],
};
/** Says whether an answer was recorded or is of the mock. */
const SOURCE_HEADER = 'paylens-replay';

/** Answers from a record of `serve --record`; what is not in it, the mock answers. */
export class RecordedAnswers {
  readonly #known = new Map<string, RecordedRequest>();
  /** Requests in which card data was masked: an asterisk is any character. */
  readonly #masked: RecordedRequest[] = [];

  /** Takes the lines of a record. Throws 9002 for a line that is none. */
  constructor(lines: readonly string[]) {
    for (const [i, line] of lines.entries()) {
      if (line.trim() !== '') this.#add(recordIn(line, i + 1));
    }
  }

  /** The recorded answer, the last one again and again; 9002 if it was masked. */
  async answer(incoming: Incoming, context: ServiceContext): Promise<Outcome> {
    const sent = bodyObject(incoming.body);
    const key = keyOf(incoming.operation, sent);
    const found = this.#known.get(key) ?? this.#masked.find((one) => covers(one.key, key));
    if (!found) {
      const outcome = await answerRequest(incoming, context);
      return {...outcome, answer: from('mock', outcome.answer)};
    }
    const {answers, next} = found;
    const record = answers[Math.min(next, answers.length - 1)] as ExchangeRecord;
    found.next++;
    const ids = {messageId: context.messageId(), reference: textMember(sent, 'reference')};
    const masked = record.masked && maskedError();
    const error = masked || errorIn(bodyObject(record.response.body ?? ''));
    const answer = masked ? errorAnswer(masked, ids) : recordedAnswer(record, ids, context);
    const deviceType = textMember(sent, 'deviceType');
    return {answer: from('recorded', answer), ...ids, deviceType, sent, error};
  }

  #add(record: ExchangeRecord): void {
    const {target, body = '', masked} = record.request;
    const operation = OPERATION_BY_PATH.get(target.split('?', 1)[0] ?? '');
    if (!operation) return;
    const key = keyOf(operation, bodyObject(body));
    const known = masked ? this.#masked.find((one) => one.key === key) : this.#known.get(key);
    if (known) return void known.answers.push(record);
    const added = {key, answers: [record], next: 0};
    if (masked) this.#masked.push(added);
    else this.#known.set(key, added);
  }
}

function recordIn(line: string, number: number): ExchangeRecord {
  try {
    return parseExchange(line);
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    throw new PaylensError(error.code, `line ${number}: ${error.detail}`);
  }
}

function keyOf(operation: Operation, sent: JsonObject | undefined): string {
  const values = MEMBERS[operation].map((member) => textMember(sent, member) ?? null);
  return JSON.stringify([operation, sent !== undefined, ...values]);
}

function covers(masked: string, key: string): boolean {
  if (masked.length !== key.length) return false;
  return Array.from(key).every((character, i) => masked[i] === character || masked[i] === '*');
}

function maskedError(): PaylensError {
  return new PaylensError(9002, 'card data in this record is masked', {
    hint: 'Record it again with --keep-cards, with payloads of the published test keys.',
  });
}

/** The error of an endpoint's answer, as far as the catalogue has it; 1 would be a defect of this service. */
export function errorIn(said: JsonObject | undefined, detail = ''): PaylensError | undefined {
  const code = ERROR_CODES.find((one) => one === said?.errCode && one !== 1);
  return code && new PaylensError(code, detail);
}

/** As it was recorded, with the ids of this request and with challenges of this service. */
function recordedAnswer(
  {response: {status, headers, body = '', bodyBase64}}: ExchangeRecord,
  ids: {readonly messageId: string; readonly reference: string | undefined},
  context: ServiceContext,
): HttpAnswer {
  const said = bodyObject(body);
  const {reference: _, success, ...others} = said ?? {};
  const [, type = 'application/json'] =
    headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return {
    status,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      ...(status === 401 && {'www-authenticate': context.challenges(undefined)}),
    },
    body: said
      ? JSON.stringify({
          success,
          ...(ids.reference !== undefined && {reference: ids.reference}),
          ...others,
          messageId: ids.messageId,
        })
      : body || Buffer.from(bodyBase64 ?? '', 'base64').toString(),
  };
}

function from(source: 'recorded' | 'mock', answer: HttpAnswer): HttpAnswer {
  return {...answer, headers: {...answer.headers, [SOURCE_HEADER]: source}};
}
