import {PaylensError} from '../../contract/paylens-error.js';
import {TERMINALS, type TerminalType} from '../../engine/devices/registry.js';
import {Trace} from '../../engine/trace.js';
import {upperHexOf} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import type {Gathered} from '../input/clues.js';
import type {Refusal} from '../input/read-form.js';

/** Forms that tell their own length; of the others any hex looks cut. */
const FRAMED = new Set<string>(['idtech', 'prima', 'ingenico-rba', 'magtek']);

/** Said of any hex that is taken for a list of tags; a cut list begins with a tag of the reader's. */
const UNFRAMED = /^(?:(?:length of )?tag (?!DF|FF)|odd number of hex digits)/;

const ODD = /^odd number of hex digits/;
/** What only frames have: STX or ViVO in front, or the stars of a masked copy inside. */
const FRAME_LIKE = /^(?:02|5669564F)|(?:2A){4}/i;

/**
 * What stands behind STX in hex: at ID TECH a length below 2048, low byte first, and an encode type;
 * at RBA the number of the message.
 */
const BEHIND_STX: Readonly<Partial<Record<TerminalType | 'magtek', RegExp>>> = {
  idtech: /^..0[0-7](?:0[013]|8[0135]|C0)/i,
  'ingenico-rba': /^3\d3\d2E/i,
};

/** What the readers said: clear data and closed schemes first, then damage. */
export function refusalFindings({refusals, subjects, texts}: Gathered): Finding[] {
  const framed = refusals.filter(({deviceType, text}) => goesOnAsFrame(deviceType, text));
  const of = (code: number) => framed.find(({error}) => error.code === code);
  // Digits alone are a block in hex as well as a card number.
  const clear = texts.every((text) => /^\d*$/.test(text)) ? undefined : of(2110);
  const closed = of(2111);
  if (clear) return [{label: 'clear-data', detail: clear.error.detail}];
  if (closed) return [{label: 'closed-scheme', detail: `${closed.error.detail}.`}];
  const damaged = subjects
    .flatMap(({findings}) => findings)
    .find(({label}) => label === 'frame-damaged');
  if (damaged) return [damaged];
  const broken = of(2101);
  if (broken) return [{label: 'frame-damaged', detail: broken.error.detail}];
  const cut = framed
    .map(ofWholeBytes)
    .find(
      ({error, deviceType, findings}) =>
        error.code === 2102 &&
        FRAMED.has(deviceType) &&
        !UNFRAMED.test(error.detail) &&
        !findings.some(isRepair),
    );
  return cut ? [{label: 'frame-cut', detail: cut.error.detail}] : [];
}

/** The text was made a frame by what was put in front of it or behind. */
function isRepair({label}: Finding): boolean {
  return label === 'frame-lost-character';
}

/**
 * The refusal of hex with an odd number of digits becomes that of its whole bytes, when these are a
 * frame that lacks more than the one digit. Any other refusal stays.
 */
function ofWholeBytes(refusal: Refusal): Refusal {
  const digits = refusal.text.replaceAll(/\s/g, '');
  if (!ODD.test(refusal.error.detail) || !FRAME_LIKE.test(digits)) return refusal;
  const error = truncation(refusal, digits.slice(0, -1));
  return error && truncation(refusal, `${digits}0`) ? {...refusal, error} : refusal;
}

/** The 2102 that the reader of a refusal gives to `text`, if it does. */
function truncation({deviceType}: Refusal, text: string): PaylensError | undefined {
  if (deviceType === 'magtek') return undefined;
  try {
    TERMINALS[deviceType].read(text, new Trace({recording: false}));
  } catch (error) {
    return error instanceof PaylensError && error.code === 2102 ? error : undefined;
  }
  return undefined;
}

/** Whether a text goes on behind STX as frames of this reader do: ciphertext may begin with 02, too. */
function goesOnAsFrame(type: TerminalType | 'magtek', text: string): boolean {
  const sign = BEHIND_STX[type];
  const digits = digitsBehindStx(text);
  return sign === undefined || digits === undefined || sign.test(digits);
}

function digitsBehindStx(text: string): string | undefined {
  if (text.startsWith('\x02')) return upperHexOf(Buffer.from(text.slice(1, 5), 'latin1'));
  const compact = text.replaceAll(/\s/g, '');
  return compact.startsWith('02') ? compact.slice(2) : undefined;
}
