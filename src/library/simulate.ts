import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {PaylensError} from '../contract/paylens-error.js';
import {MODES, type Mode} from '../contract/process-payload.js';
import {writerOf} from '../engine/families/terminal.js';
import {chooseCard, chooseKsn} from '../simulator/choose-simulation.js';
import type {CardDetails} from '../simulator/compose-card.js';
import {DAMAGES, type Damage} from '../simulator/damage.js';
import {type SimulatedRequest, simulate as write} from '../simulator/simulate.js';
import {entriesOf, integerOf, membersOf, oneOf, textOf} from './arguments.js';
import {KEY_OPTIONS, type KeyOptions, ringOf} from './keys.js';
import {safelyLater} from './safe-errors.js';
import {
  type AnyTerminalType,
  TERMINAL_OPTIONS,
  type TerminalOptions,
  terminalsOf,
} from './terminals.js';

/** What a simulated terminal is to send. Members of a format are `options` (docs/terminals.md). */
export interface SimulateOptions extends KeyOptions, TerminalOptions {
  readonly deviceType: AnyTerminalType;
  /** Absent: the first mode of the terminal. */
  readonly mode?: Mode | undefined;
  /** The id of one of TEST_CARDS, or members of a card; absent: `visa`. */
  readonly card?: string | Partial<CardDetails> | undefined;
  /** Hex, of this transaction; absent: FFFF9876543210E00001. */
  readonly ksn?: string | undefined;
  /** The transaction counter, in place of that of the KSN. */
  readonly counter?: number | undefined;
  readonly serial?: string | undefined;
  /** Hex of one cipher block; absent: zeros, not sent. */
  readonly iv?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly damage?: Damage | undefined;
}

/** The parameters of a process-payload request, without credentials. */
export type SimulateResult = SimulatedRequest<AnyTerminalType>;

const SIMULATE_OPTIONS = [
  ...['deviceType', 'mode', 'card', 'ksn', 'counter', 'serial', 'iv', 'options', 'damage'],
  ...KEY_OPTIONS,
  ...TERMINAL_OPTIONS,
];
const DAMAGE_NAMES = Object.keys(DAMAGES) as Damage[];

/**
 * Makes the payload that a terminal would send for a card; the same settings give the same payload.
 * Rejects with PaylensError: 2005 for a wrong argument, also a mode, card or option that the terminal
 * does not have, 9015 for an unusable key, 2400 for the KSN, 2600 without a key for it, 2602 for the
 * IV, 9040 if a terminal of `terminals` fails.
 */
export function simulate(options: SimulateOptions): Promise<SimulateResult> {
  return safelyLater(async () => {
    const members = membersOf(options, 'options', SIMULATE_OPTIONS);
    const {damage, mode, counter} = members;
    const terminals = terminalsOf(members);
    const deviceType = oneOf(members.deviceType, 'deviceType', terminals.types);
    if (deviceType === undefined) throw new PaylensError(2000);
    const ksn = textOf(members.ksn, 'ksn');
    const settings = {
      deviceType,
      terminals,
      card: cardOf(members.card),
      ksn: chooseKsn(ksn, integerOf(counter, 'counter', [0, 2 ** 32 - 1])),
      serial: textOf(members.serial, 'serial'),
      iv: textOf(members.iv, 'iv'),
      options: formatOptions(members.options),
      damage: oneOf(damage, 'damage', DAMAGE_NAMES),
    };
    const wanted = oneOf(mode, 'mode', MODES);
    const keys = ringOf(members);
    try {
      const writer = await writerOf(terminals.get(deviceType));
      return write(writer, {...settings, keys, mode: wanted ?? writer.modes[0] ?? 'swiped'});
    } finally {
      keys.wipe();
    }
  }, redactCardNumbers);
}

const CARD_TEXTS = ['pan', 'expiry', 'serviceCode', 'name', 'discretionary', 'cvv'] as const;
/** Longer than the id of any test card, or a card number in its place. */
const MAX_ID_CHARS = 100;
const TRACKS = ['track1', 'track2', 'track3'] as const;

function cardOf(value: unknown): CardDetails {
  if (value === undefined || typeof value === 'string')
    return chooseCard({card: textOf(value, 'card', MAX_ID_CHARS)});
  const given = membersOf(value, 'card', ['id', ...CARD_TEXTS, ...TRACKS, 'brand', 'source']);
  const text = (name: string) => textOf(given[name], `card.${name}`);
  const {serviceCode, ...plain} = Object.fromEntries(CARD_TEXTS.map((name) => [name, text(name)]));
  const card = chooseCard({
    ...plain,
    card: textOf(given.id, 'card.id', MAX_ID_CHARS),
    'service-code': serviceCode,
  });
  const tracks = TRACKS.flatMap((name) => {
    const track = text(name);
    return track === undefined ? [] : [[name, track] as const];
  });
  return {...card, ...Object.fromEntries(tracks)};
}

function formatOptions(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const entries = entriesOf(value, 'options.options').filter(
    ([, content]) => content !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, content]) => [name, textOf(content, `options.${name}`) ?? '']),
  );
}
