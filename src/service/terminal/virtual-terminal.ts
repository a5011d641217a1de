import {PaylensError} from '../../contract/paylens-error.js';
import type {Mode} from '../../contract/process-payload.js';
import {nextKsn} from '../../engine/dukpt/ksn.js';
import {FrameSplitter} from '../../engine/framing/frame-splitter.js';
import type {Writer} from '../../engine/writing.js';
import {bytesFromHex, bytesFromLatin1} from '../../platform/bytes.js';
import {chooseCard} from '../../simulator/choose-simulation.js';
import {type Simulation, simulate} from '../../simulator/simulate.js';
import type {ServiceLog} from '../information/log.js';
import {AnswerQueue} from '../operations/answer-queue.js';
import type {CommandRule, CommandTable} from './command-table.js';
import type {ReceivedCommand, TerminalAnswer, TerminalOrder} from './test-terminal.js';

/** What a terminal is made of. */
export interface TerminalSettings {
  readonly table: CommandTable;
  readonly writer: Writer;
  /** Without a mode each command reads a card in its usual way. */
  readonly simulation: Omit<Simulation<string>, 'mode'> & {readonly mode: Mode | undefined};
  readonly log: ServiceLog;
}

const MAX_LISTED_COMMANDS = 1000;
/** In place of a test card: nobody presents one. */
export const NO_CARD = 'none';

/** The state of a terminal, whoever is connected: its counter, its queue, and what it received. */
export class VirtualTerminal {
  readonly settings: TerminalSettings;
  readonly answers = new AnswerQueue((order: TerminalOrder, id: string) => this.#isFor(order, id));
  readonly received = {list: () => this.#received, clear: () => this.#received.splice(0)};
  readonly #received: ReceivedCommand[] = [];
  #ksn: string;

  /** Throws as `simulate` does, and 9001 if its reads are no message of its wire. */
  constructor(settings: TerminalSettings) {
    this.settings = settings;
    this.#ksn = settings.simulation.ksn;
    for (const rule of Object.values(settings.table.commands)) this.#assertWire(rule);
  }

  reset(): void {
    this.received.clear();
    this.answers.remove();
    this.#ksn = this.settings.simulation.ksn;
  }

  note(message: string, fields: object): void {
    this.settings.log.info(message, fields);
  }

  /** Notes a command, without its data; the answer that waits for it, else an empty one. */
  take(id: string, bytes: number): TerminalAnswer {
    const answer = this.answers.take(id) ?? {};
    const {fault} = answer;
    const name = this.settings.table.commands[id]?.name;
    const row = {
      ...{command: id, ...(name !== undefined && {name})},
      ...{bytes, ...(fault !== undefined && {fault})},
    };
    this.#received.push({time: new Date().toISOString(), ...row});
    if (this.#received.length > MAX_LISTED_COMMANDS) this.#received.shift();
    this.note(name === undefined ? 'unknown command' : 'command', row);
    return answer;
  }

  /** How a card is presented to a command; undefined: it is not. */
  modeOf({reads = []}: CommandRule, {card, mode}: TerminalAnswer): Mode | undefined {
    const wanted = mode ?? this.settings.simulation.mode ?? reads[0];
    return card === NO_CARD ? undefined : reads.find((one) => one === wanted);
  }

  /** The next read, as it is sent; its counter is used up. Undefined: there is none, and the log says why. */
  nextRead(rule: CommandRule, mode: Mode, answer: TerminalAnswer): Uint8Array | undefined {
    const {damage = this.settings.simulation.damage} = answer;
    try {
      const read = this.#read(rule, mode, answer);
      if (damage !== 'repeated-counter') this.#ksn = nextKsn(this.#ksn);
      return read;
    } catch (error) {
      if (!(error instanceof PaylensError)) throw error;
      this.settings.log.error('no read', {errCode: error.code});
      return undefined;
    }
  }

  /** Throws 2005 unless this terminal can give the answer. */
  check({match, answer}: TerminalOrder): void {
    const {commands} = this.settings.table;
    const named = match?.command;
    const ids = Object.keys(commands);
    // Between words, unlike commas, digits are no card number for the mask.
    if (named !== undefined && !ids.includes(named))
      throw new PaylensError(2005, `match.command: expected ${ids.join(' or ')}`);
    const rules = ids.filter((id) => this.#isFor({match, answer}, id)).map((id) => commands[id]);
    const [rule] = rules;
    if (!rule) throw new PaylensError(2005, 'answer: the command reads no card in this mode');
    const mode = this.modeOf(rule, answer);
    if (!mode) return;
    try {
      this.#read(rule, mode, answer);
    } catch (error) {
      if (!(error instanceof PaylensError)) throw error;
      throw new PaylensError(2005, `answer: ${error.detail}`);
    }
  }

  /** An answer with a card, a mode or a damage is for commands that read cards so. */
  #isFor({match, answer}: TerminalOrder, id: string): boolean {
    const {card, mode, damage} = answer;
    const {reads = []} = this.settings.table.commands[id] ?? {};
    if ((match?.command ?? id) !== id) return false;
    if (mode !== undefined) return reads.includes(mode);
    return reads.length > 0 || (card ?? damage) === undefined;
  }

  #read({options}: CommandRule, mode: Mode, {card, damage}: TerminalAnswer): Uint8Array {
    const {table, writer, simulation} = this.settings;
    const {devicePayload} = simulate(writer, {
      ...simulation,
      mode,
      ksn: this.#ksn,
      card: card === undefined ? simulation.card : chooseCard({card}),
      options: {...table.options, ...options, ...simulation.options},
      damage: damage ?? simulation.damage,
    });
    return bytesFromHex(devicePayload) ?? bytesFromLatin1(devicePayload);
  }

  #assertWire(rule: CommandRule): void {
    const {table, simulation} = this.settings;
    const mode = this.modeOf(rule, {});
    if (!mode) return;
    const read = this.#read(rule, mode, {damage: simulation.damage ?? 'repeated-counter'});
    const splitter = new FrameSplitter();
    const [frame, ...others] = [...splitter.push(read), ...splitter.flush()];
    if (frame?.form === table.form && others.length === 0) return;
    throw new PaylensError(9001, 'these options give no message that the terminal sends', {
      hint: 'Leave out the options form, frame, message and separator.',
      fault: {kind: 'setting', setting: 'options', is: 'wrong'},
    });
  }
}
