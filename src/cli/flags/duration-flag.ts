import {custom} from '@oclif/core/flags';
import {PaylensError} from '../../contract/paylens-error.js';

const UNITS = {ms: 1, s: 1000, m: 60_000};
/** Longer than any useful wait, and within what timers can count. */
const MAX_DURATION_MS = 24 * 60 * UNITS.m;

// A type, not an interface: oclif requires an index signature of its options.
type DurationOptions = {
  /** Bounds in milliseconds. */
  readonly min?: number;
  readonly max?: number;
};

/** A flag with a duration such as `500ms`, `10s` or `2m`; its value is in milliseconds. */
export const durationFlag = custom<number, DurationOptions>({
  helpValue: 'DURATION',
  parse: async (text, _context, {name, min = 1, max = MAX_DURATION_MS}) => {
    const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text) ?? [];
    if (digits === undefined)
      throw new PaylensError(
        9001,
        `--${name} ${text}: expected a duration such as 500ms, 10s or 2m`,
      );
    const milliseconds = Number(digits) * UNITS[unit as keyof typeof UNITS];
    if (milliseconds >= min && milliseconds <= max) return milliseconds;
    throw new PaylensError(
      9001,
      `--${name} ${text}: expected ${durationText(min)} to ${durationText(max)}`,
    );
  },
  defaultHelp: async ({options}) =>
    typeof options.default === 'number' ? durationText(options.default) : undefined,
});

/** The duration in the largest unit that leaves no fraction. */
function durationText(milliseconds: number): string {
  const unit = (['m', 's'] as const).find((each) => milliseconds % UNITS[each] === 0) ?? 'ms';
  return milliseconds === 0 ? '0ms' : `${milliseconds / UNITS[unit]}${unit}`;
}
