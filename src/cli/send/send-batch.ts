import {operationAt} from '../../auth/string-to-hash.js';
import type {RequestContent, Sender} from '../../client/sender.js';
import {parseExchange} from '../../contract/control/exchange-record.js';
import {errorObjectOf} from '../../contract/error-object.js';
import type {Operation} from '../../contract/operation.js';
import {bodyObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {blockLines, type Line, textOfLine} from '../batch/answer-block.js';
import {readBlocks} from '../batch/read-blocks.js';
import {SOME_FAILED} from '../batch/run-batch.js';
import {Tally} from '../batch/tally.js';
import {type InputSource, openInput} from '../input/read-input.js';
import {note, printBlock, progress} from '../output/output.js';
import type {SendFlags} from './send-flags.js';
import {openWithFlags} from './send-request.js';

/**
 * Sends a request for each line, which `requestOf` reads, and prints each response on a line, in order;
 * lines of which it makes no request are skipped and counted. At most as many are in flight as `--concurrency` says. Throws as sendWithFlags does,
 * before the first line; later errors are those of their line.
 */
export async function sendBatch(
  source: InputSource,
  flags: SendFlags,
  requestOf: RequestOfLine,
): Promise<void> {
  const {stream, size} = openInput(source);
  const {sender, close} = await openWithFlags(flags);
  const tally = new Tally(size);
  let skipped = 0;
  const inFlight = new Set<Promise<unknown>>();
  let printed = Promise.resolve();
  try {
    for await (const block of readBlocks(stream)) {
      tally.read += block.length;
      for (const line of blockLines(block)) {
        const sent = Promise.all([sendLine(sender, line, requestOf), printed]);
        const done = sent.then(async ([answer]) => {
          if (answer) await printAnswer(answer, line, tally);
          else skipped++;
          inFlight.delete(done);
        });
        inFlight.add(done);
        printed = done;
        while (inFlight.size >= flags.concurrency) await Promise.race(inFlight);
      }
    }
    await printed;
  } finally {
    progress('');
    await close();
  }
  note(tally.summary());
  if (skipped > 0) note(`Skipped: ${skipped} masked or without an operation.`);
  if (tally.failed > 0) process.exitCode = SOME_FAILED;
}

/** The operation and the content of the request that a line stands for; undefined for none. */
type RequestOfLine = (line: string) => readonly [Operation, RequestContent] | undefined;

type SentAnswer = {readonly success: boolean; readonly errCode?: unknown};

async function sendLine(
  sender: Sender,
  line: Line,
  requestOf: RequestOfLine,
): Promise<SentAnswer | undefined> {
  try {
    const request = requestOf(textOfLine(line));
    return request && (await sender.send(...request)).answer;
  } catch (error) {
    // A defect of paylens fails its line only; its message could contain anything.
    return errorObjectOf(error instanceof PaylensError ? error : new PaylensError(1));
  }
}

async function printAnswer(answer: SentAnswer, line: Line, tally: Tally): Promise<void> {
  const {success, errCode = 9021} = answer;
  const code = Number(errCode);
  const failed = success ? {} : {[code]: 1};
  const first = success ? {} : {[code]: {at: 0, line: String(line)}};
  tally.add({lines: 1, failures: failed, firsts: first});
  if (tally.isDue()) progress(tally.progress());
  await printBlock(Buffer.from(`${JSON.stringify(answer)}\n`));
}

/** The request of a record, to be signed anew: without the credentials of its sender, which are masked. */
export function recordedRequest(line: string): readonly [Operation, RequestContent] | undefined {
  const {request} = parseExchange(line);
  const operation = operationAt(request.target);
  const sent = bodyObject(request.body ?? '');
  if (request.masked || !operation || !sent) return undefined;
  const {partnerId: _, partnerKey, ...members} = sent;
  return [operation, partnerKey === undefined ? Buffer.from(request.body ?? '') : members];
}
