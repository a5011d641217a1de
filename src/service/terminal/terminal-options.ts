import {z} from 'zod';
import {PaylensError} from '../../contract/paylens-error.js';
import {MODES} from '../../contract/process-payload.js';
import {DAMAGES, type Damage} from '../../simulator/damage.js';
import {answerParts, matchText, objectError, orderIn, orderOf} from '../operations/answer-order.js';
import {oneOf, ownMembers, wholeNumber} from '../operations/zod-parts.js';
import {checked, keyOption, list, object, stringOption} from '../start-options.js';
import {
  type StartTerminalOptions,
  TERMINAL_FAULTS,
  type TerminalFault,
  type TerminalOrder,
  VIRTUAL_TYPES,
} from './test-terminal.js';
import {NO_CARD} from './virtual-terminal.js';

const FAULT_NAMES = Object.keys(TERMINAL_FAULTS) as TerminalFault[];
const mode = oneOf(MODES).optional();
const damage = oneOf(Object.keys(DAMAGES) as Damage[]).optional();
const port = wholeNumber(0, 65_535).optional();

const ORDER = orderOf(
  z.strictObject({command: matchText.optional()}, {error: objectError}),
  z.strictObject(
    {
      card: z.union([z.literal(NO_CARD), answerParts.card], {
        error: `expected a test card of \`paylens simulate --list-cards\`, or ${NO_CARD}`,
      }),
      ...{mode, damage, fault: oneOf(FAULT_NAMES).optional(), latency: answerParts.latency},
    },
    {error: objectError},
  ),
);

const TERMINAL_OPTIONS = object({
  deviceType: oneOf(VIRTUAL_TYPES),
  ...{port, controlPort: port, mode, damage},
  card: stringOption.optional(),
  ksn: stringOption.optional(),
  serial: stringOption.optional(),
  options: z.record(stringOption, stringOption, {error: 'expected an object'}).optional(),
  keys: list(keyOption).optional(),
} satisfies Record<keyof StartTerminalOptions, z.ZodType>);

/** The form of an order for a terminal. Throws 2005, which names the member at fault. */
export function checkTerminalOrder(given: unknown): TerminalOrder {
  const order = orderIn(ORDER, given);
  if (Object.keys(order.answer).length === 0)
    throw new PaylensError(2005, 'answer: expected card, mode, damage, fault or latency');
  return order;
}

/** A copy of the options of a suite. Throws 9015 for a key, 9001 for every other option. */
export function checkTerminalOptions(given: unknown): StartTerminalOptions {
  const {data, fault, at} = checked(TERMINAL_OPTIONS, given);
  if (data) return ownMembers(data) as StartTerminalOptions;
  throw new PaylensError(at === 'keys' ? 9015 : 9001, fault);
}
