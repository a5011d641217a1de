const DIGIT_GROUPS = /\d+(?:[ -]\d+)*/g;
const SHORTEST = 13;
const LONGEST = 19;
/** When it has letters, too, its digits are chance, and no card. */
const UUID = /(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/gi;

/**
 * Masks every card number in `text`: 13 to 19 digits that satisfy Luhn, single blanks and hyphens
 * between groups allowed. The first six and last four digits stay. A longer run of digits without
 * a gap (a messageId) is left as it is, and so are the digits of UUIDs.
 */
export function redactCardNumbers(text: string): string {
  return text.replace(DIGIT_GROUPS, redactRun);
}

function redactRun(run: string, at: number, text: string): string {
  if (run.length < SHORTEST || isInUuid(text, at, at + run.length)) return run;
  const groups = run.split(/[ -]/);
  let redacted = run;
  let start = 0;
  for (let first = 0; first < groups.length; first++) {
    redacted = redactFrom(redacted, groups, first, start);
    start += (groups[first]?.length ?? 0) + 1;
  }
  return redacted;
}

function isInUuid(text: string, start: number, end: number): boolean {
  return [...text.matchAll(UUID)].some(
    ({0: uuid, index}) => index <= start && end <= index + uuid.length && /[a-f]/i.test(uuid),
  );
}

// A card number may stand between other numbers, so every stretch of groups is tried.
function redactFrom(run: string, groups: readonly string[], first: number, start: number): string {
  let digits = '';
  let end = start - 1;
  let redacted = run;
  for (const group of groups.slice(first)) {
    digits += group;
    end += group.length + 1;
    if (digits.length > LONGEST) break;
    if (digits.length < SHORTEST || !isLuhnValid(digits)) continue;
    redacted = redacted.slice(0, start) + mask(redacted.slice(start, end)) + redacted.slice(end);
  }
  return redacted;
}

function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function mask(cardNumber: string): string {
  const hidden = cardNumber.replace(/[ -]/g, '').length - 4;
  let position = 0;
  return cardNumber.replace(/[\d*]/g, (character) => {
    position += 1;
    return position > 6 && position <= hidden ? '*' : character;
  });
}
