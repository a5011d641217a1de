import {STATUS_OK, writeLinkFrames} from '../../engine/forms/link-frame.js';
import {writeTlv} from '../../engine/tlv/ber.js';
import {
  bytesFromLatin1,
  bytesOfHex,
  concatBytes,
  latin1Of,
  upperHexOf,
} from '../../platform/bytes.js';
import type {Command, CommandRule, CommandTable} from './command-table.js';

const UNKNOWN_INSTRUCTION = '6D00';
const STATUS_DIGITS = 4;
const LINK_HEADER_BYTES = 3;
/** An authorisation response code of `00`: the issuer approves. */
const APPROVED = '8A023030';

const SW_OK = {answer: STATUS_OK} as const;
const MIURA_CHIP: CommandRule['reads'] = ['emv'];

const MIURA_COMMANDS: Readonly<Record<string, CommandRule>> = {
  'D0 00': {
    name: 'reset device',
    answer: (serial) => template({'9F1E': serial, DF0D: 'PAYLENS-MPI', DF7F: '1-0'}),
    cancels: true,
  },
  'D0 01': {
    name: 'get configuration',
    answer: template({ED: latin1Of(textTags({DF0D: 'paylens.cfg', DF7F: '1'}))}),
  },
  // The swipe follows as an unsolicited message.
  'D0 60': {name: 'card status', ...SW_OK, reads: ['swiped']},
  'D0 61': {name: 'keyboard status', ...SW_OK},
  'D0 62': {name: 'battery status', ...SW_OK},
  'D0 FF': {name: 'abort', ...SW_OK, cancels: true},
  'D2 01': {name: 'display text', ...SW_OK},
  'D2 5A': {name: 'get secure PAN', reads: ['keyed']},
  'DE D1': {name: 'start transaction', reads: MIURA_CHIP},
  'DE C1': {name: 'start contactless transaction', reads: MIURA_CHIP},
  'DE D2': {
    name: 'continue transaction',
    answer: (_, data) => `${upperHexOf(data).includes(APPROVED) ? 'E3' : 'E5'}00${STATUS_OK}`,
  },
  '00 A4': {name: 'select file', ...SW_OK},
  '00 D6': {name: 'update binary', ...SW_OK},
  'EE E0': {name: 'P2PE status', answer: `E100${STATUS_OK}`},
};

/** Miura's MPI. An answer is a template and the status word, in hex. */
export const miuraTable: CommandTable = {
  form: 'link',
  options: {form: 'frames'},
  commands: MIURA_COMMANDS,
  unknown: () => UNKNOWN_INSTRUCTION,
  commandIn,
  frameOf: (answer) =>
    writeLinkFrames(bytesOfHex(answer.slice(0, -STATUS_DIGITS)), {
      status: answer.slice(-STATUS_DIGITS),
    }),
  failed: '6F00',
};

/** CLA and INS, after the headers of all chained frames are removed. */
function commandIn(frame: Uint8Array): Command | undefined {
  const bodies: Uint8Array[] = [];
  for (let at = 0; at < frame.length; ) {
    const end = at + LINK_HEADER_BYTES + (frame[at + 2] ?? 0);
    bodies.push(frame.subarray(at + LINK_HEADER_BYTES, end));
    at = end + 1;
  }
  const body = concatBytes(...bodies);
  const instruction = upperHexOf(body.subarray(0, 2));
  return {id: `${instruction.slice(0, 2)} ${instruction.slice(2)}`, data: body.subarray(2)};
}

function template(tags: Readonly<Record<string, string>>): string {
  return upperHexOf(writeTlv('E1', textTags(tags))) + STATUS_OK;
}

/** Objects with texts; an empty one is left out. */
function textTags(tags: Readonly<Record<string, string>>): Uint8Array {
  const given = Object.entries(tags).filter(([, text]) => text !== '');
  return concatBytes(...given.map(([tag, text]) => writeTlv(tag, bytesFromLatin1(text))));
}
