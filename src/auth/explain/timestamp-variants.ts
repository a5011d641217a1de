import type {Variant} from '../partner/signing-keys.js';

/** The clock was read once for the header and once for the signature. */
const MAX_DRIFT_SECONDS = 10;
const HOUR = 3600;
const MAX_ZONE_HOURS = 14;

const IN_MILLISECONDS = 'the timestamp was signed in milliseconds';

/** The timestamps that a caller may have signed instead of the one in the header. */
export function timestampVariants(timestamp: string): readonly Variant<string>[] {
  return [
    {value: timestamp},
    {mistake: IN_MILLISECONDS, value: `${timestamp}000`},
    {
      mistake: 'the timestamp was signed in seconds, but sent in milliseconds',
      value: timestamp.slice(0, -3),
    },
    {mistake: 'the timestamp was signed in quotes', value: `"${timestamp}"`},
    {mistake: 'the timestamp was signed with decimals', value: `${timestamp}.0`},
    ...datesOf(Number(timestamp)).map((value) => ({
      mistake: 'the timestamp was signed as a date',
      value,
    })),
    ...distances().map(([mistake, seconds]) => ({
      mistake,
      value: String(Number(timestamp) + seconds),
    })),
    ...thousandths().map((digits) => ({mistake: IN_MILLISECONDS, value: timestamp + digits})),
  ];
}

/** The header has whole seconds of a clock that has milliseconds. */
function thousandths(): readonly string[] {
  return Array.from({length: 999}, (_, i) => String(i + 1).padStart(3, '0'));
}

function datesOf(seconds: number): readonly string[] {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return [];
  const iso = date.toISOString();
  return [iso, iso.replace('.000Z', 'Z'), iso.replace('.000Z', '+00:00'), date.toUTCString()];
}

function distances(): readonly (readonly [string, number])[] {
  const drifts = counts(MAX_DRIFT_SECONDS).map(
    (seconds) =>
      [`the signed timestamp is ${away(seconds, 's')} the one in the header`, seconds] as const,
  );
  const zones = counts(2 * MAX_ZONE_HOURS).map((halves) => {
    const distance = away(halves / 2, 'h');
    return [
      `the signed timestamp is ${distance} the one in the header`,
      (halves * HOUR) / 2,
    ] as const;
  });
  return [...drifts, ...zones];
}

/** 1, -1, 2, -2 and so on. */
function counts(most: number): readonly number[] {
  return Array.from({length: most}, (_, i) => [i + 1, -i - 1]).flat();
}

function away(distance: number, unit: string): string {
  return `${Math.abs(distance)} ${unit} ${distance > 0 ? 'after' : 'before'}`;
}
