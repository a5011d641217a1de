import {crc16} from '../../engine/forms/crc16.js';
import {bytesFromLatin1, bytesOfHex, concatBytes, upperHexOf} from '../../platform/bytes.js';
import type {Command, CommandRule, CommandTable} from './command-table.js';

const NAME = bytesFromLatin1('ViVOtech2\0');
const HEADER_BYTES = 14;
const CRC_BYTES = 2;
const SERIAL_BYTES = 15;
const VERSION = 'paylens virtual VP3300';

/** Status bytes of a response (docs/virtual-terminals.md#what-they-answer). */
const STATUS = {
  ok: '00',
  unknownCommand: '02',
  unknownSubcommand: '03',
  wrongCrc: '04',
  timeout: '08',
  failed: '0A',
  notSet: '0B',
} as const;

const STATUS_OK = {answer: STATUS.ok} as const;
const ACTIVATE: CommandRule = {name: 'activate transaction', reads: ['swiped', 'emv', 'keyed']};

const IDTECH_COMMANDS: Readonly<Record<string, CommandRule>> = {
  '18-01': {name: 'ping', ...STATUS_OK},
  '29-00': {name: 'get firmware version', answer: STATUS.ok + hexText(VERSION)},
  '12-01': {
    name: 'get serial number',
    answer: (serial) =>
      serial === '' ? STATUS.notSet : STATUS.ok + hexText(serial).padEnd(2 * SERIAL_BYTES, '0'),
  },
  '01-01': {name: 'set poll mode', ...STATUS_OK},
  '0A-02': {name: 'control LED', ...STATUS_OK},
  '0B-01': {name: 'control buzzer, short beeps', ...STATUS_OK},
  '0B-02': {name: 'control buzzer, one beep', ...STATUS_OK},
  '02-40': ACTIVATE,
  '02-01': ACTIVATE,
  '05-01': {name: 'cancel transaction', ...STATUS_OK, cancels: true},
};

/** ID TECH's NEO readers on ViVOtech2. An answer is a status byte and the data, in hex. */
export const idtechTable: CommandTable = {
  form: 'vivopay',
  options: {form: 'binary', message: 'vivotech2'},
  commands: IDTECH_COMMANDS,
  unknown: (id) =>
    KNOWN_FIRST.has(id.slice(0, 2)) ? STATUS.unknownSubcommand : STATUS.unknownCommand,
  commandIn: (frame) => (NAME.every((byte, i) => frame[i] === byte) ? commandOf(frame) : undefined),
  frameOf,
  wrongCheck: STATUS.wrongCrc,
  waitMs: ([seconds = 0]) => 1000 * seconds,
  timedOut: STATUS.timeout,
  failed: STATUS.failed,
};

const KNOWN_FIRST = new Set(Object.keys(IDTECH_COMMANDS).map((id) => id.slice(0, 2)));

function commandOf(frame: Uint8Array): Command {
  const id = upperHexOf(frame.subarray(NAME.length, NAME.length + 2));
  return {
    id: `${id.slice(0, 2)}-${id.slice(2)}`,
    data: frame.subarray(HEADER_BYTES, -CRC_BYTES),
  };
}

/** The CRC of a response is big-endian. */
function frameOf(answer: string, id: string): Uint8Array {
  const [status = 0, ...data] = bytesOfHex(answer);
  const head = [...bytesOfHex(id.slice(0, 2)), status, data.length >> 8, data.length & 0xff];
  const bytes = concatBytes(NAME, Uint8Array.from([...head, ...data]));
  const crc = crc16(bytes);
  return concatBytes(bytes, Uint8Array.of(crc >> 8, crc & 0xff));
}

function hexText(text: string): string {
  return upperHexOf(bytesFromLatin1(text));
}
