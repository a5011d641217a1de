import type {ErrorCode} from '../../contract/error-catalogue.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Misfit, type Shape, valueKind} from './shape.js';

/** What a reader may throw: everything that can be wrong with a payload. */
export const READ_CODES = [
  ...[2100, 2101, 2102, 2103, 2110, 2111, 2400, 2601, 2602, 2800],
] as readonly ErrorCode[];
/** What a writer may throw: what it cannot write, and the errors of `encrypt` and `hmac`. */
export const WRITE_CODES = [9001, 2400, 2600, 2602] as readonly ErrorCode[];

/** Calls the functions of one own terminal and checks their answers; its faults bear its name. */
export class Guard {
  readonly #type: string;
  /** Faults found here, to tell them from errors with this code that the terminal throws. */
  readonly #faults = new WeakSet<PaylensError>();

  constructor(type: string) {
    this.#type = type;
  }

  /** The error 9040, in the name of the terminal. */
  fault(detail: string): PaylensError {
    const error = new PaylensError(9040, `${this.#type}, ${detail}`);
    this.#faults.add(error);
    return error;
  }

  /** The result of `run`, in its shape. Throws an error of `codes`, or 9040. */
  call<T>(place: string, run: () => unknown, shape: Shape<T>, codes = READ_CODES): T {
    let value: unknown;
    try {
      value = run();
    } catch (error) {
      throw this.#thrown(place, error, codes);
    }
    return this.take(place, value, shape);
  }

  /** The same of a function whose result may be a promise. */
  async wait<T>(place: string, run: () => unknown, shape: Shape<T>): Promise<T> {
    try {
      return this.take(place, await run(), shape);
    } catch (error) {
      throw this.#thrown(place, error, WRITE_CODES);
    }
  }

  /** A value in its shape. Throws 9040, saying where it differs. */
  take<T>(place: string, value: unknown, shape: Shape<T>): T {
    try {
      return shape(value, place);
    } catch (error) {
      if (error instanceof Misfit) throw this.fault(error.message);
      throw this.#thrown(place, error, []);
    }
  }

  /** An error of `codes` as one of ours, without what could be a card number or a key. */
  passable(error: unknown, codes: readonly ErrorCode[]): PaylensError | undefined {
    const {code, detail, message, hint, name} = errorMembers(error);
    const known = codes.find((one) => one === code);
    if (known === undefined) return undefined;
    const said = shown(name === 'PaylensError' ? detail : (detail ?? message));
    return new PaylensError(known, said, typeof hint === 'string' ? {hint: shown(hint)} : {});
  }

  #thrown(place: string, error: unknown, codes: readonly ErrorCode[]): PaylensError {
    if (this.#faults.has(error as PaylensError)) return error as PaylensError;
    return this.passable(error, codes) ?? this.fault(`${place}: ${whatWasThrown(error)}`);
  }
}

/** Longer details are cut. */
const MAX_REASON_CHARS = 300;

function shown(said: unknown): string {
  return typeof said === 'string'
    ? redactCardNumbers(redactKeys(said.slice(0, MAX_REASON_CHARS)))
    : '';
}

/** The members of an error that paylens reads; none of a value that cannot be read. */
type ErrorMembers = Partial<
  Record<'code' | 'detail' | 'message' | 'hint' | 'name' | 'stack', unknown>
>;

function errorMembers(error: unknown): ErrorMembers {
  if (typeof error !== 'object' || error === null) return {};
  try {
    const {code, detail, message, hint, name, stack} = error as ErrorMembers;
    return {code, detail, message, hint, name, stack};
  } catch {
    return {};
  }
}

/** In words what was thrown: the kind of an error and its place; its text could hold anything. */
export function whatWasThrown(error: unknown): string {
  const {name, code, message, stack} = errorMembers(error);
  if (typeof stack !== 'string')
    return `threw ${typeof error === 'object' && error !== null ? 'an object' : valueKind(error)}`;
  const kind = typeof name === 'string' && /^[A-Z][A-Za-z]{1,40}$/.test(name) ? name : 'Error';
  const where = placeIn(stack, typeof message === 'string' ? message : '');
  return `threw ${kind}${isCode(code) ? ` ${code}` : ''}${where}`;
}

/** A code of paylens or of Node. */
function isCode(code: unknown): code is string | number {
  if (typeof code === 'number') return code > 0 && code < 10_000;
  return typeof code === 'string' && /^ERR_[A-Z_]{1,60}$/.test(code);
}

const FRAME =
  /(?:^|[/\\(@ ])([\w.-]{1,60}\.[cm]?[jt]sx?)(?:\?[^:\s]*)?:(\d{1,6}:\d{1,5})(?=[)\s]|$)/m;

/** The innermost frame in a file, without its folders; no part of it may be a value. */
function placeIn(stack: string, message: string): string {
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const [, file = '', place] = FRAME.exec(frames) ?? [];
  return place === undefined || /\d{6,}/.test(file) ? '' : ` at ${file}:${place}`;
}
