import {FS, frameTextMessage} from '../../engine/forms/text-message.js';
import {bytesFromLatin1, latin1Of} from '../../platform/bytes.js';
import type {CommandRule, CommandTable} from './command-table.js';

const SUCCESS = '2';
/** Exit types of a card read (docs/terminals/ingenico.md#messages). */
const EXIT = {cancelled: '2', encryptionFailed: '7'} as const;
const DEVICE = 'paylens-rba';
/** The identifier of a variable ends a request. */
const VARIABLE_DIGITS = 6;

const DONE = {answer: SUCCESS} as const;
const RBA_CHIP: CommandRule = {
  name: 'EMV transaction',
  reads: ['emv', 'swiped'],
  options: {message: '33'},
};

const RBA_COMMANDS: Readonly<Record<string, CommandRule>> = {
  '00.': {name: 'offline', ...DONE, cancels: true},
  '01.': {name: 'online', ...DONE},
  '07.': {name: 'unit data', answer: DEVICE},
  '08.': {
    name: 'health statistics',
    answer: (serial) => ['0', '0', DEVICE, serial].join(FS),
  },
  '11.': {name: 'status', answer: '00'},
  '15.': {name: 'soft reset', ...DONE, cancels: true},
  '23.': {
    name: 'card read',
    reads: ['swiped', 'keyed', 'emv'],
    options: {message: '23'},
  },
  '28.': {name: 'set variable', ...DONE},
  '29.': {
    name: 'get variable',
    answer: (_, data) => SUCCESS + latin1Of(data).slice(-VARIABLE_DIGITS),
  },
  '33.00': RBA_CHIP,
  '33.02': RBA_CHIP,
  '33.03': RBA_CHIP,
  '33.04': RBA_CHIP,
  '33.05': RBA_CHIP,
  '60.': {name: 'configuration write', ...DONE},
  '61.': {name: 'configuration read', answer: (_, data) => SUCCESS + latin1Of(data)},
  '87.': {
    name: 'encrypted card read',
    reads: ['swiped', 'keyed', 'emv'],
    options: {message: '87'},
  },
};

/** Ingenico's RBA. An answer is what follows the identifier of the message. */
export const ingenicoRbaTable: CommandTable = {
  form: 'text',
  options: {},
  commands: RBA_COMMANDS,
  unknown: () => undefined,
  commandIn: (frame) => {
    const text = latin1Of(frame.subarray(1, -2));
    const [id] = /^(?:33\.\d\d|\d\d\.)/.exec(text) ?? [];
    return id === undefined ? undefined : {id, data: frame.subarray(1 + id.length, -2)};
  },
  frameOf: (answer, id) => bytesFromLatin1(frameTextMessage(id + answer)),
  acknowledges: true,
  cancelled: EXIT.cancelled,
  failed: EXIT.encryptionFailed,
};
