const DIGIT_GROUPS = /\d+(?:[ -]\d+)*/g;
const SHORTEST = 13;
const LONGEST = 19;

/**
 * Masks every card number in `text`: 13 to 19 digits that satisfy Luhn, single blanks and hyphens
 * between groups allowed. The first six and last four digits stay. A longer run of digits without
 * a gap (a messageId) is left as it is.
 */
export function redactCardNumbers(text: string): string {
  return text.replace(DIGIT_GROUPS, redactRun);
}

function redactRun(run: string): string {
  if (run.length < SHORTEST) return run;
  const groups = run.split(/[ -]/);
  let redacted = run;
  let start = 0;
  for (let first = 0; first < groups.length; first++) {
    redacted = redactFrom(redacted, groups, first, start);
    start += (groups[first]?.length ?? 0) + 1;
  }
  return redacted;
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
