import {custom} from '@oclif/core/flags';
import {PaylensError} from '../../contract/paylens-error.js';
import {warn} from '../output/output.js';

const UNITS = {ms: 1, s: 1000, m: 60_000};
const NAMES = {ms: 'milliseconds', s: 'seconds', m: 'minutes'};
/** Longer than any wait that makes sense, and what timers can count. */
const LONGEST = 24 * 60 * UNITS.m;

type Unit = keyof typeof UNITS;

// A type, not an interface: oclif demands an index signature of its options.
type DurationOptions = {
  /** Unit of a bare number, which flags accepted before they took units. */
  readonly unit: Unit;
  /** Bounds in milliseconds. */
  readonly min?: number;
  readonly max?: number;
};

/** A flag with a duration such as `500ms`, `10s` or `2m`; its value is in milliseconds. */
export const durationFlag = custom<number, DurationOptions>({
  helpValue: 'DURATION',
  parse: async (text, _context, {name, unit, min = 1, max = LONGEST}) => {
    const found = parseDuration(text);
    if (!found) throw wrongForm(name);
    const milliseconds = found.count * UNITS[found.unit ?? unit];
    if (milliseconds < min || milliseconds > max)
      throw new PaylensError(
        9001,
        `--${name}: expected ${durationText(min)} to ${durationText(max)}`,
      );
    if (!found.unit) warn(unitMissing(name, text, unit));
    return milliseconds;
  },
  defaultHelp: async ({options}) =>
    typeof options.default === 'number' ? durationText(options.default) : undefined,
});

function parseDuration(text: string): {count: number; unit: Unit | undefined} | undefined {
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : {count: Number(digits), unit: unit as Unit | undefined};
}

/** The duration in the largest unit that leaves no fraction. */
function durationText(milliseconds: number): string {
  const unit = (['m', 's'] as const).find((each) => milliseconds % UNITS[each] === 0) ?? 'ms';
  return milliseconds === 0 ? '0ms' : `${milliseconds / UNITS[unit]}${unit}`;
}

function wrongForm(name: string): PaylensError {
  return new PaylensError(9001, `--${name}: expected a duration such as 500ms, 10s or 2m`);
}

function unitMissing(name: string, text: string, unit: Unit): string {
  return `--${name} ${text}: no unit given, read as ${NAMES[unit]}; write ${text}${unit}`;
}
