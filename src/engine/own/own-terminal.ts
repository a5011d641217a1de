import type {ErrorCode} from '../../contract/error-catalogue.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Summary} from '../families/about.js';
import {KNOWN_TERMINALS} from '../families/registry.js';
import type {AnyTerminal, Framing, RepairedFrame} from '../families/terminal.js';
import type {TerminalSet} from '../families/terminal-set.js';
import {verifyMacs} from '../forms/verify-macs.js';
import type {Reading} from '../reading.js';
import type {Trace} from '../trace.js';
import {Guard} from './guard.js';
import {readingShape} from './reading-shape.js';
import {Recorder} from './recorder.js';
import {arrayOf, flag, func, Misfit, members, oneOf, optional, type Shape, text} from './shape.js';
import type {OwnTerminal} from './terminal.js';
import {pattern, writerShape} from './writer-shape.js';

/** What is to be a terminal, and where it comes from: `terminals[0]`, `mine.mjs`. */
export interface OwnTerminalInput {
  readonly value: unknown;
  readonly where: string;
}

/**
 * The terminals of paylens and the user's own, every answer of which is checked from now on:
 * what is wrong in one is error 9040 in its name. Throws `code` for anything else, and for a
 * type that another one has.
 */
export function withOwnTerminals(
  given: readonly OwnTerminalInput[],
  code: 2005 | 9040,
): TerminalSet {
  if (given.length === 0) return KNOWN_TERMINALS;
  const own = given.map((one) => ownTerminal(one, code));
  const types = [...KNOWN_TERMINALS.all, ...own].map(({type}) => type);
  const twice = types.find((type, i) => types.indexOf(type) !== i);
  if (twice === undefined) return KNOWN_TERMINALS.with(own);
  const {where} = given[own.findLastIndex(({type}) => type === twice)] as OwnTerminalInput;
  throw new PaylensError(code, `${where}.type: ${twice} is already taken`);
}

const FRAMING = members<Framing>({
  begins: pattern,
  repairs: optional(func<NonNullable<Framing['repairs']>>),
});

/** A terminal whose functions are called with checks only. */
type Members = Pick<OwnTerminal, 'type' | 'manufacturer' | 'recognises'> & {
  readonly read: unknown;
  readonly about: unknown;
  readonly framing?: Framing;
  readonly write?: unknown;
};

const TERMINAL = members<Members>({
  type: text([1, 50], /^[a-z0-9][a-z0-9-]*$/),
  manufacturer: text([1, 50], /^[\x21-\x7e][\x20-\x7e]*$/),
  recognises: (value, at) => (typeof value === 'function' ? func(value, at) : flag(value, at)),
  read: func,
  about: func,
  framing: optional(FRAMING),
  write: optional(func),
});

function ownTerminal({value, where}: OwnTerminalInput, code: ErrorCode): AnyTerminal {
  const given = taken(value, where, code);
  const {type, manufacturer, recognises, read, about, write} = given;
  const guard = new Guard(type);
  const ask = (method: unknown, ...args: unknown[]) =>
    Reflect.apply(method as () => unknown, value, args);
  return {
    type,
    manufacturer,
    recognises:
      typeof recognises === 'boolean'
        ? recognises
        : (payload) => guard.call('recognises', () => ask(recognises, payload), flag, []),
    read: (payload, trace) => readBy(guard, (own) => ask(read, payload, own), payload, trace),
    verifyMacs,
    about: () => guard.wait('about', () => ask(about), SUMMARY),
    ...(given.framing === undefined ? {} : {framing: framingOf(guard, given.framing)}),
    ...(typeof write === 'function' && {
      write: () => guard.wait('write', () => ask(write), writerShape(guard)),
    }),
  };
}

function taken(value: unknown, where: string, code: ErrorCode) {
  try {
    return TERMINAL(value, where);
  } catch (error) {
    const detail = error instanceof Misfit ? error.message : `${where}: cannot be read`;
    throw new PaylensError(code, detail);
  }
}

/** What was recorded before an error stays in the trace. */
function readBy(
  guard: Guard,
  read: (own: Recorder) => unknown,
  payload: string,
  trace: Trace,
): Reading {
  const own = new Recorder(guard);
  let found: unknown;
  try {
    found = guard.call(
      'read',
      () => read(own),
      (value) => value,
    );
  } catch (error) {
    own.moveTo(trace, payload);
    throw error;
  }
  return guard.take('read', found, readingShape(guard, own.moveTo(trace, payload)));
}

const REPAIRS: Shape<RepairedFrame[]> = arrayOf(
  members<RepairedFrame>({
    text: text([1, 65_536]),
    change: oneOf('lost', 'added'),
    detail: text([1, 300]),
  }),
  [0, 64],
);

function framingOf(guard: Guard, {begins, repairs}: Framing): Framing {
  if (!repairs) return {begins};
  return {begins, repairs: (given) => guard.call('repairs', () => repairs(given), REPAIRS, [])};
}

const LINE = text([1, 1000]);

const SUMMARY = members<Summary>({
  title: LINE,
  summary: LINE,
  evidence: oneOf('verified', 'documented', 'seen', 'inferred'),
});
