import {type MistakeRow, type Variant, variantsOf} from '../partner/variant.js';

/** The clock was read once for the header and once for the signature. */
const MAX_DRIFT_SECONDS = 10;
const HALF_HOUR_SECONDS = 1800;
const MAX_ZONE_HALF_HOURS = 28;

const IN_MILLISECONDS = 'the timestamp was signed in milliseconds';

/** The timestamps that a caller may have signed instead of the one in the header. */
export function timestampVariants(timestamp: string): readonly Variant<string>[] {
  const shifted = (distance: number, unit: string, seconds: number): MistakeRow<string> => {
    const where = `${Math.abs(distance)} ${unit} ${distance > 0 ? 'after' : 'before'}`;
    const mistake = `the signed timestamp is ${where} the one in the header`;
    return [mistake, String(Number(timestamp) + seconds)];
  };
  const mistakes = variantsOf([
    [IN_MILLISECONDS, `${timestamp}000`],
    ['the timestamp was signed in seconds, but sent in milliseconds', timestamp.slice(0, -3)],
    ['the timestamp was signed in quotes', `"${timestamp}"`],
    ['the timestamp was signed with decimals', `${timestamp}.0`],
    ['the timestamp was signed as a date', ...datesOf(Number(timestamp))],
    ...steps(MAX_DRIFT_SECONDS).map((seconds) => shifted(seconds, 's', seconds)),
    ...steps(MAX_ZONE_HALF_HOURS).map((half) => shifted(half / 2, 'h', half * HALF_HOUR_SECONDS)),
    // The header has whole seconds of a clock that has milliseconds.
    [IN_MILLISECONDS, ...thousandths().map((digits) => timestamp + digits)],
  ]);
  return [{value: timestamp}, ...mistakes];
}

function thousandths(): readonly string[] {
  return Array.from({length: 999}, (_, i) => String(i + 1).padStart(3, '0'));
}

function datesOf(seconds: number): readonly string[] {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return [];
  const iso = date.toISOString();
  return [iso, iso.replace('.000Z', 'Z'), iso.replace('.000Z', '+00:00'), date.toUTCString()];
}

/** 1, -1, 2, -2 and so on. */
function steps(max: number): readonly number[] {
  return Array.from({length: max}, (_, i) => [i + 1, -i - 1]).flat();
}
