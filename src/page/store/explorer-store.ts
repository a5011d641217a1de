import {PaylensError} from '../../contract/paylens-error.js';
import {decodeInput, isBinary} from '../../engine/decode-input.js';
import type {TerminalType} from '../../engine/families/registry.js';
import {isCase} from '../../input/case.js';
import {bytesFromLatin1, upperHexOf} from '../../platform/bytes.js';
import type {SimulatedRequest} from '../../simulator/simulate.js';
import type {ErrorView} from '../model/advice.js';
import {type ExplorationOrder, wipeKeys} from '../model/explore.js';
import {areWhole, hasKeys, type KeyChoice} from '../model/keys.js';
import {isPublished, type Linked} from '../model/link.js';
import {NO_ROWS} from '../model/read.js';
import {MAX_INPUT_BYTES, readInput, tooLarge} from '../model/read-input.js';
import type {Change, DiagnosisNews, DiagnosisOrder} from '../worker/diagnosis-worker.js';
import {PageWorker} from '../worker/page-worker.js';
import {createReader, isShort} from '../worker/reader.js';

export const VIEWS = ['Explorer', 'Compare', 'Simulate'] as const;

/** How far the diagnosis is. */
export type DiagnosisState =
  | DiagnosisNews
  | {readonly kind: 'idle' | 'died'}
  | {readonly kind: 'cancelled'; readonly tried: number};

/** Everything that the explorer shows. */
export interface ExplorerState {
  /** The read as its rows show it: payload, terminal, KSN, IV, variant, mode and keys. */
  readonly read: ExplorationOrder;
  /** The read as it was when the typing paused, which every view uses. */
  readonly settled: ExplorationOrder;
  /** Whether `settled` is to be decrypted or diagnosed, so that a failure is an error. */
  readonly isAsked: boolean;
  /** The text to write into the payload field; a new object each time it is to be written. */
  readonly fieldText: {readonly text: string};
  /** What was undone in a text that was pasted. */
  readonly note: string | undefined;
  /** The rows that a diagnosis changed. */
  readonly changes: readonly Change[];
  readonly reveal: boolean;
  readonly view: (typeof VIEWS)[number];
  /** The payload to compare with. */
  readonly second: string;
  /** How often everything was forgotten; the forms start empty after each time. */
  readonly resets: number;
  readonly diagnosis: DiagnosisState;
  readonly error: ErrorView | undefined;
  /** An action that the page finished. */
  readonly notice: string | undefined;
  /** Why the page refused, if no code of the catalogue applies. */
  readonly refusal: string | undefined;
}

export const NOT_LINKED =
  'A link can hold published test cards only. This payload is not one of them.';
/** From the last key typed into the payload field to the reading. */
const PAUSE_MS = 120;
const NO_KEYS: KeyChoice = {testKeys: true, typed: ''};
const NO_READ: ExplorationOrder = {text: '', ...NO_ROWS, keys: NO_KEYS};
const NO_MESSAGES = {
  diagnosis: {kind: 'idle'},
  error: undefined,
  notice: undefined,
  refusal: undefined,
  changes: [],
} as const;

/** The state of the explorer, and everything that changes it. */
export class ExplorerStore {
  #state: ExplorerState = {
    ...NO_MESSAGES,
    read: NO_READ,
    settled: NO_READ,
    isAsked: false,
    note: undefined,
    fieldText: {text: ''},
    reveal: false,
    view: 'Explorer',
    second: '',
    resets: 0,
  };
  #timer = 0;
  /** Typed, but not read yet. */
  #typing: string | undefined;
  /** The terminal that was chosen for every text. */
  #chosen: TerminalType | undefined;
  readonly #diagnoser = new PageWorker<DiagnosisOrder, DiagnosisNews>();
  readonly #readLink = createReader();
  readonly #listeners = new Set<(state: ExplorerState) => void>();

  get state(): ExplorerState {
    return this.#state;
  }

  /** Returns a function that ends the listening. */
  listen(listener: (state: ExplorerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes state that does not affect the read. */
  show(change: Partial<Pick<ExplorerState, 'reveal' | 'view' | 'second' | 'refusal'>>): void {
    this.#set(change);
  }

  /** Ends the diagnosis and shows an error, or nothing. */
  fail(error?: ErrorView): void {
    this.#diagnoser.cancel();
    this.#set({...NO_MESSAGES, error});
  }

  /** A text as it is typed; it is read after a pause. */
  type(text: string): void {
    if (text.length > MAX_INPUT_BYTES) {
      this.take(text);
      return;
    }
    this.#typing = text;
    this.#pause();
  }

  /** Changes rows as they are typed; they are used after a pause. */
  edit(rows: Partial<ExplorationOrder>): void {
    this.#set({read: {...this.#state.read, ...rows}});
    this.#pause();
  }

  /** Changes rows that are chosen, not typed. */
  choose(rows: Partial<ExplorationOrder>): void {
    if ('terminal' in rows) this.#chosen = rows.terminal;
    this.edit(rows);
    this.#settle();
  }

  /** A text that was not typed; what a short one says goes into the rows. Binary is shown in hex. */
  take(text: string, given: Partial<ExplorationOrder> = {}): void {
    this.#stopTyping();
    this.fail();
    if (text.length > MAX_INPUT_BYTES) {
      this.#refuse(text.length);
      return;
    }
    const rows = {...NO_ROWS, terminal: this.#chosen, ...given};
    const found = isShort({text}) ? readInput(text, rows.terminal) : undefined;
    const {payload, note, failure, ...own} = found ?? {payload: text};
    // A case has keys and ciphertexts besides its payload.
    const isKept = failure !== undefined || (note !== undefined && isCase(text));
    const read = {...this.#state.read, ...rows, text: isKept ? text : payload};
    for (const [name, value] of Object.entries(own))
      if (value !== undefined && !failure) Object.assign(read, {[name]: value});
    this.#set({read, note, fieldText: {text: inOneLine(read.text)}});
    this.#settle();
  }

  /** A text that came from outside of the fields: the payload, or what it is compared with. */
  receive(text: string): void {
    const {view, read} = this.#state;
    if (view === 'Compare' && nonEmpty(read)) this.show({second: inOneLine(text)});
    else this.take(text);
  }

  takeRequest({deviceType, devicePayload, ksn, iv}: SimulatedRequest): void {
    this.take(devicePayload, {terminal: deviceType as TerminalType, ksn, iv});
  }

  async takeFile(file: File): Promise<void> {
    try {
      if (file.size > MAX_INPUT_BYTES) this.#refuse(file.size);
      else this.take(decodeInput(new Uint8Array(await file.arrayBuffer())));
    } catch (failure) {
      if (!(failure instanceof PaylensError)) throw failure;
      this.fail(failure);
    }
  }

  /** Opens a link if its payload may be in one. */
  takeLink(linked: Linked): void {
    const {payload, ...more} = linked;
    this.#readLink({text: payload, ...more, keys: NO_KEYS}, (exploration) => {
      wipeKeys(exploration);
      if (exploration.input.payload === payload && isPublished(exploration)) {
        this.take(payload, {...more, keys: NO_KEYS});
      } else this.#set({refusal: NOT_LINKED});
    });
  }

  decrypt(): void {
    this.#settle(true);
    const {text, keys} = this.#state.settled;
    if (text.trim() === '') this.#set({error: new PaylensError(2002)});
    else if (!hasKeys(keys)) this.#set({error: new PaylensError(2600, 'no key was given')});
  }

  diagnose(): void {
    this.#settle(true);
    this.#set({diagnosis: {kind: 'progress', stage: '', tried: 0, elapsedMs: 0}});
    this.#diagnoser.start(
      {isDiagnosis: true, ...this.#state.settled},
      (diagnosis) => {
        if (diagnosis.kind !== 'progress') this.#diagnoser.cancel();
        this.#set({diagnosis});
      },
      () => this.#set({diagnosis: {kind: 'died'}}),
    );
  }

  cancelDiagnosis(): void {
    const {diagnosis} = this.#state;
    this.#diagnoser.cancel();
    const tried = diagnosis.kind === 'progress' ? diagnosis.tried : 0;
    this.#set({diagnosis: {kind: 'cancelled', tried}});
  }

  /** Puts the settings that the diagnosis found into the rows. */
  applyRemedy(): void {
    const {diagnosis} = this.#state;
    const remedy = diagnosis.kind === 'done' ? diagnosis.answer.remedy : undefined;
    if (!remedy) return;
    this.take(remedy.read.text, remedy.read);
    this.#set({changes: remedy.changes, isAsked: true});
  }

  /** Deletes keys, results and card data. */
  forget(): void {
    const {resets, read} = this.#state;
    this.#stopTyping();
    this.#chosen = undefined;
    this.fail();
    const empty = {...NO_READ, keys: {...NO_KEYS, testKeys: read.keys.testKeys}};
    this.#set({
      second: '',
      resets: resets + 1,
      reveal: false,
      fieldText: {text: ''},
      note: undefined,
      read: empty,
      settled: empty,
      notice: 'Keys and card data deleted from this page.',
    });
  }

  /** Uses the rows as they are now: pressing a button skips the pause. */
  #settle(isAsked = false): void {
    const text = this.#typing;
    const {read, settled} = this.#state;
    this.#stopTyping();
    this.fail();
    const isNew = text !== undefined && !isEdited(read.text, text);
    const rows = isNew ? {...read, ...NO_ROWS, terminal: this.#chosen} : read;
    const now = text === undefined ? rows : {...rows, text};
    // Until it is whole, a key that is being typed takes nothing away.
    const keys = isAsked || areWhole(read.keys) ? read.keys : settled.keys;
    const next = {...now, keys};
    // The same read is not explored again: its rows of bytes stay in their order.
    const isSame = Object.entries(next).every(
      ([name, value]) => settled[name as keyof ExplorationOrder] === value,
    );
    this.#set({
      isAsked,
      read: now,
      settled: isSame ? settled : next,
      ...(text !== undefined && {note: undefined, fieldText: {text}}),
    });
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), PAUSE_MS);
  }

  #stopTyping(): void {
    clearTimeout(this.#timer);
    this.#typing = undefined;
  }

  #refuse(length: number): void {
    const read = {...this.#state.read, ...NO_ROWS, text: ''};
    this.#set({read, settled: read, fieldText: {text: ''}, error: tooLarge(length)});
  }

  #set(change: Partial<ExplorerState>): void {
    this.#state = {...this.#state, ...change};
    for (const listener of this.#listeners) listener(this.#state);
  }
}

/** Characters at an end of a text by which it is known. */
const KNOWN_CHARS = 8;

/** Whether a text was made by typing in another one, so that its rows still belong to it. */
function isEdited(before: string, text: string): boolean {
  if (text === '' || before === '') return before === '';
  return text.startsWith(before.slice(0, KNOWN_CHARS)) || text.endsWith(before.slice(-KNOWN_CHARS));
}

/** A read with a text to explore. */
export function nonEmpty(read: ExplorationOrder): ExplorationOrder | undefined {
  return read.text.trim() === '' ? undefined : read;
}

/** As the field of one line shows it: binary in hex, JSON without its line ends. */
export function inOneLine(text: string): string {
  if (isBinary(text)) return upperHexOf(bytesFromLatin1(text));
  if (!text.trimStart().startsWith('{')) return text;
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
