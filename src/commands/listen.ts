import {SOME_FAILED} from '../cli/batch/run-batch.js';
import type {FailedInput} from '../cli/diagnosis/answer-failure.js';
import {durationFlag} from '../cli/flags/duration-flag.js';
import {arg, flag} from '../cli/flags/flag.js';
import {payloadFlags, terminalFlag} from '../cli/input/payload-flags.js';
import {chooseKeys} from '../cli/keyfile/choose-keys.js';
import {keyAlgorithmFlag, keyFlags} from '../cli/keyfile/key-flags.js';
import {takeFrames} from '../cli/listen/frames-of.js';
import {type Connection, connectionsOf, type Source, sourceOf} from '../cli/listen/open-source.js';
import {type ReadOptions, type TerminalRead, terminalRead} from '../cli/listen/terminal-read.js';
import {hanging, type Layout, stack} from '../cli/output/layout/layout.js';
import {note, printJsonLine, printResult} from '../cli/output/output.js';
import {interruptionSignal} from '../cli/stop-at-signals.js';
import {TerminalCommand} from '../cli/terminal-command.js';
import {nounFor} from '../contract/found-hex.js';
import type {PaylensError} from '../contract/paylens-error.js';
import {KeyRing} from '../engine/dukpt/key-ring.js';
import type {WireFrame} from '../engine/framing/frame-splitter.js';
import {openAppended} from '../files/write-durably.js';
import {timeOfDay} from '../service/information/log-text.js';

const {reveal: _, payload: __, file: ___, ...readFlags} = payloadFlags;

/** Shows each read of a terminal that is connected, as it comes. */
export default class Listen extends TerminalCommand {
  static override description = [
    'Show each card read of a connected terminal as it comes.',
    'Reads a serial device, a TCP connection or stdin, finds the frames of the terminals in it, and prints a line for each read. Card data is masked. Ends with exit code 7 if a read failed.',
  ].join('\n');
  static override args = {
    source: arg.required(
      'DEVICE or DEVICE:BAUD, tcp:HOST:PORT, tcp-listen:PORT, a file of captured bytes, or - for stdin',
    ),
  };
  static override flags = {
    ...readFlags,
    ...terminalFlag,
    iv: flag.text('HEX', 'IV, if it is not in the payload'),
    save: flag.text('FILE', 'append each read to this file (JSONL), card data masked'),
    'keep-cards': flag.on('do not mask the payloads; for the published test keys only', {
      dependsOn: ['test-keys'],
    }),
    count: flag.integer('N', 'stop after N reads', {min: 1}),
    ack: flag.on('acknowledge messages from STX to ETX: ACK, or NAK if the LRC is wrong'),
    idle: durationFlag({
      description: 'silence that ends a frame; default: 150ms, of TCP and stdin 1s',
    }),
    retry: flag.on('wait for the source if it is not there or goes away'),
    ...keyFlags(),
    ...keyAlgorithmFlag,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> /dev/ttyACM0:115200 --test-keys',
    '<%= config.bin %> <%= command.id %> tcp-listen:9100 --keyfile keys.age --save reads.jsonl',
    '<%= config.bin %> <%= command.id %> tcp:192.0.2.10:12000 --json --retry | <%= config.bin %> send payload - --batch --profile test',
  ];

  readonly #stopped = new AbortController();
  #reads = 0;
  #others = 0;

  async run(): Promise<void> {
    const {args, flags} = await this.parseWithTerminals(Listen);
    const source = sourceOf(args.source);
    const keys = await chooseKeys(flags, true);
    if (keys.length === 0) note('No key was given: reads are shown, but not decrypted.');
    const options: ReadOptions = {
      flags,
      terminals: flags.terminals,
      keys: keys.length === 0 ? undefined : new KeyRing(keys),
      keepsCards: flags['keep-cards'],
      explain: (input, error) => this.#cause(error, {input, argument: '-', flags, keys}),
    };
    const file = flags.save === undefined ? undefined : await openAppended(flags.save, OWN_LINE);
    try {
      await this.#listen(source, flags, async (frame, {write}) => {
        if (flags.ack) acknowledge(frame, write);
        const read = await terminalRead(frame, options);
        if (read) await this.#show(read, flags, file?.append);
        else this.#others++;
      });
    } finally {
      await file?.close();
      options.keys?.wipe();
    }
    const others = this.#others;
    const messages = `${others.toLocaleString('en')} ${nounFor(others, 'message')}`;
    if (others > 0) note(`Not shown: ${messages} without a read.`);
  }

  async #cause(error: PaylensError, given: FailedInput): Promise<string | undefined> {
    const answer = await this.answerTo(given, () => {
      throw error;
    });
    return answer?.cause;
  }

  /** Takes every frame of every connection until the source, the count or a signal ends it. */
  async #listen(
    source: Source,
    {retry, idle}: {readonly retry: boolean; readonly idle?: number | undefined},
    take: (frame: WireFrame, connection: Connection) => Promise<void>,
  ): Promise<void> {
    const signal = AbortSignal.any([interruptionSignal(), this.#stopped.signal]);
    const settings = {idleMs: idle ?? source.idleMs, signal};
    let failure: unknown;
    try {
      for await (const connection of connectionsOf(source, retry, signal)) {
        const taking = takeFrames(connection.stream, settings, async (frame) => {
          if (!signal.aborted) await take(frame, connection);
        });
        if (!source.isServer) await taking;
        taking.catch((error) => {
          failure = error;
          this.#stopped.abort();
        });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (failure) throw failure;
  }

  async #show(read: TerminalRead, {json, count}: Shown, append?: Append): Promise<void> {
    if (read.errCode !== undefined) process.exitCode = SOME_FAILED;
    if (json) printJsonLine(read);
    else printResult(readLayout(read));
    await append?.(`${JSON.stringify(read)}\n`);
    this.#reads++;
    if (this.#reads === count) this.#stopped.abort();
  }
}

type Append = (line: string) => Promise<void>;

interface Shown {
  readonly json: boolean;
  readonly count?: number | undefined;
}

const [ACK, NAK] = [0x06, 0x15];
/** Lines of requests, whoever wrote them. */
const OWN_LINE = /^\{"/;

function acknowledge({form, damage}: WireFrame, write: Connection['write']): void {
  if (form === 'text' && damage !== 'unfinished') write?.(Uint8Array.of(damage ? NAK : ACK));
}

/** The columns of a read: time, terminal, mode, KSN, number and expiry; or the error, and its cause below. */
function readLayout(read: TerminalRead): Layout {
  const {deviceType = 'unknown', mode, ksn, number, expiry, errCode, errMessage, cause} = read;
  const card = [mode?.padEnd(11), ksn?.padEnd(20), number?.padEnd(19), expiry];
  const failure = errCode === undefined ? undefined : `Error ${errCode}: ${errMessage}`;
  const columns = [deviceType.padEnd(12), ...card, failure].filter((text) => text !== undefined);
  const stamp = `${timeOfDay(new Date(read.time))}.${read.time.slice(20, 23)}`;
  const line = hanging(stamp.length + 2, `${stamp}  ${columns.join('  ').trimEnd()}`);
  const margin = ' '.repeat(stamp.length + 2);
  return cause === undefined ? line : stack(line, hanging(margin.length, `${margin}${cause}`));
}
