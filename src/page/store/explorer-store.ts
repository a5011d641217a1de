import {PaylensError} from '../../contract/paylens-error.js';
import {decodeInput, isBinary} from '../../engine/decode-input.js';
import type {TerminalType} from '../../engine/families/registry.js';
import {bytesFromLatin1, upperHexOf} from '../../platform/bytes.js';
import type {SimulatedRequest} from '../../simulator/simulate.js';
import type {ErrorView} from '../model/advice.js';
import {type ExplorationOrder, wipeKeys} from '../model/explore.js';
import {hasKeys, type KeyChoice, typedKeys} from '../model/keys.js';
import {isPublished, type Linked} from '../model/link.js';
import {MAX_INPUT_BYTES, type RequestFields, tooLarge} from '../model/read-input.js';
import type {DiagnosisNews, DiagnosisOrder} from '../worker/diagnosis-worker.js';
import {PageWorker} from '../worker/page-worker.js';
import {createReader} from '../worker/reader.js';

export const VIEWS = ['Explorer', 'Compare', 'Simulate'] as const;

/** How far the diagnosis is. */
export type DiagnosisState =
  | DiagnosisNews
  | {readonly kind: 'idle' | 'died'}
  | {readonly kind: 'cancelled'; readonly tried: number};

/** Everything that the explorer shows. */
export interface ExplorerState {
  /** The read that every view uses: payload, terminal, KSN, IV and keys. */
  readonly read: ExplorationOrder;
  /** The text to write into the payload field; a new object each time it is to be written. */
  readonly fieldText: {readonly text: string};
  /** The keys in the form; `Decrypt` copies them to the read. */
  readonly form: Pick<KeyChoice, 'testKeys' | 'typed'>;
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
const NO_REQUEST_FIELDS: RequestFields = {ksn: undefined, iv: undefined};
const NO_READ: ExplorationOrder = {
  text: '',
  terminal: undefined,
  ...NO_REQUEST_FIELDS,
  keys: NO_KEYS,
};
const NO_MESSAGES = {
  diagnosis: {kind: 'idle'},
  error: undefined,
  notice: undefined,
  refusal: undefined,
} as const;

/** The state of the explorer, and everything that changes it. */
export class ExplorerStore {
  #state: ExplorerState = {
    ...NO_MESSAGES,
    read: NO_READ,
    fieldText: {text: ''},
    form: NO_KEYS,
    reveal: false,
    view: 'Explorer',
    second: '',
    resets: 0,
  };
  #timer = 0;
  /** Typed, but not read yet. */
  #typing: string | undefined;
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
    clearTimeout(this.#timer);
    this.#typing = text;
    this.#timer = setTimeout(() => {
      this.fail();
      this.#settle();
    }, PAUSE_MS);
  }

  /** A text that was not typed; binary is shown in hex. */
  take(text: string, more: Partial<ExplorationOrder> = {}): void {
    this.#stopTyping();
    this.fail();
    if (text.length > MAX_INPUT_BYTES) {
      this.#refuse(text.length);
      return;
    }
    this.#set({fieldText: {text: inOneLine(text)}});
    this.#changeRead({text, ...NO_REQUEST_FIELDS, ...more});
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
        this.#set({form: {...this.#state.form, testKeys: true}});
        this.take(payload, {...more, keys: NO_KEYS});
      } else this.#set({refusal: NOT_LINKED});
    });
  }

  chooseTerminal(terminal: TerminalType | undefined): void {
    this.fail();
    this.#changeRead({terminal});
  }

  chooseTestKeys(testKeys: boolean): void {
    this.fail();
    this.#set({form: {...this.#state.form, testKeys}});
    this.#changeRead({keys: {...this.#state.read.keys, testKeys}});
  }

  typeKeys(typed: string): void {
    this.#set({form: {...this.#state.form, typed}});
  }

  decrypt(): void {
    this.fail();
    const keys = this.#state.form;
    this.#settle();
    this.#changeRead({keys});
    if (this.#state.read.text.trim() === '') this.#set({error: new PaylensError(2002)});
    else if (!hasKeys(keys)) this.#set({error: new PaylensError(2600, 'no key was given')});
  }

  diagnose(): void {
    this.fail();
    this.#settle();
    const {read, form} = this.#state;
    this.#set({diagnosis: {kind: 'progress', stage: '', tried: 0, elapsedMs: 0}});
    this.#diagnoser.start(
      {isDiagnosis: true, ...read, keys: typedKeys(form.typed)},
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

  /** Uses the settings that the diagnosis found. */
  applyRemedy(): void {
    const {diagnosis, form} = this.#state;
    const remedy = diagnosis.kind === 'done' ? diagnosis.answer.remedy : undefined;
    if (!remedy) return;
    const {payload, deviceType, ksn, iv, key, compatibility} = remedy;
    const chosen = {testKeys: key === undefined || form.testKeys, typed: key ?? form.typed};
    const keys = {...chosen, ...(compatibility ? {compatibility} : {})};
    this.#set({form: chosen});
    this.take(payload, {terminal: deviceType as TerminalType, ksn, iv, keys});
  }

  /** Deletes keys, results and card data. */
  forget(): void {
    const {form, resets} = this.#state;
    const empty = {testKeys: form.testKeys, typed: ''};
    this.#stopTyping();
    this.fail();
    this.#set({
      form: empty,
      second: '',
      resets: resets + 1,
      reveal: false,
      fieldText: {text: ''},
      read: {...NO_READ, keys: empty},
      notice: 'Keys and card data deleted from this page.',
    });
  }

  /** Reads typed text at once: pressing a button skips the delay. */
  #settle(): void {
    const text = this.#typing;
    if (text === undefined) return;
    this.#stopTyping();
    this.#set({fieldText: {text}});
    this.#changeRead({text, ...NO_REQUEST_FIELDS});
  }

  #stopTyping(): void {
    clearTimeout(this.#timer);
    this.#typing = undefined;
  }

  #refuse(length: number): void {
    this.#changeRead({text: '', ...NO_REQUEST_FIELDS});
    this.#set({fieldText: {text: ''}, error: tooLarge(length)});
  }

  #changeRead(change: Partial<ExplorationOrder>): void {
    this.#set({read: {...this.#state.read, ...change}});
  }

  #set(change: Partial<ExplorerState>): void {
    this.#state = {...this.#state, ...change};
    for (const listener of this.#listeners) listener(this.#state);
  }
}

/** A read with a text to explore. */
export function nonEmpty(read: ExplorationOrder): ExplorationOrder | undefined {
  return read.text.trim() === '' ? undefined : read;
}

/** As the field of one line shows it: binary in hex, JSON without its line ends. */
export function inOneLine(text: string): string {
  if (isBinary(text)) return upperHexOf(bytesFromLatin1(text));
  return text.trimStart().startsWith('{') ? joinedLines(text) : text;
}

function joinedLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
