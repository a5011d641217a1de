import fc from 'fast-check';

/** A card number of 12 to 19 digits that satisfies Luhn. */
export const cards: fc.Arbitrary<string> = fc
  .tuple(fc.integer({min: 12, max: 19}), fc.constantFrom('2', '3', '4', '5', '6'), fc.nat())
  .map(([length, first, seed]) => withCheckDigit(first + digitsOf(seed, length - 2)));

/** Ways to write a card number as bytes of a payload. */
export const BYTE_SPELLINGS: Readonly<Record<string, (card: string) => Buffer>> = {
  text: (card) => Buffer.from(card),
  'text in groups': (card) => Buffer.from(grouped(card)),
  'a track 1': (card) => Buffer.from(`%B${card}^DOE/J^`),
  'a track 2': (card) => Buffer.from(`;${card}=2512`),
  'packed digits': (card) => packed(card),
  'packed digits that begin inside a byte': (card) => packed(`A${card}`),
  'packed digits in front of an expiry': (card) => packed(`${card}D2512101`),
  'hex as text': (card) => Buffer.from(`A${packed(`${card}F`).toString('hex')}`),
  'hex of ASCII as text': (card) => Buffer.from(hexOf(card)),
  EBCDIC: (card) => Buffer.from([...card].map((digit) => 0xf0 + Number(digit))),
  'JIS with parity': (card) => Buffer.from([...card].map(withEvenParity)),
  'JIS X 0208': (card) => Buffer.from([...card].flatMap((digit) => [0x23, digit.charCodeAt(0)])),
  'unpacked digits': (card) => Buffer.from([...card].map(Number)),
  'base64 as text': (card) => Buffer.from(Buffer.from(`;${card}=`).toString('base64')),
};

/** Ways to write a card number in a member of a text. */
export const TEXT_SPELLINGS: Readonly<Record<string, (card: string) => string>> = {
  ...Object.fromEntries(
    Object.entries(BYTE_SPELLINGS).map(([name, spell]) => [
      `hex of ${name}`,
      (card: string) => hexOf(spell(card)),
    ]),
  ),
  text: (card) => card,
  'text in groups': grouped,
  'text in a text': (card) => `paid with ${card}.`,
  'hex of hex of ASCII': (card) => hexOf(hexOf(card)),
  base64: (card) => Buffer.from(`;${card}=25121011`).toString('base64'),
  'base64 of packed digits': (card) => packed(`${card}F`).toString('base64'),
  'base64 of packed digits for addresses': (card) => packed(`${card}F`).toString('base64url'),
  'base64 of hex': (card) => Buffer.from(hexOf(card)).toString('base64'),
};

/** The spelling in which the complete `card` appears in `output`, if any. */
export function findCard(output: string, card: string): string | undefined {
  const joined = output.replace(/[ -]/g, '').toLowerCase();
  const isThere = (written: string) => joined.includes(written.toLowerCase());
  return (
    Object.entries(HEX_SPELLINGS).find(([, spell]) => isThere(spell(card)))?.[0] ??
    (base64Of(card).some((written) => output.includes(written)) ? 'base64' : undefined)
  );
}

const HEX_SPELLINGS: Readonly<Record<string, (card: string) => string>> = {
  digits: (card) => card,
  'hex of ASCII': hexOf,
  'hex of hex of ASCII': (card) => hexOf(hexOf(card)),
  'hex of EBCDIC': (card) => [...card].map((digit) => `F${digit}`).join(''),
  'hex of JIS': (card) => hexOf(Buffer.from([...card].map(withEvenParity))),
  'hex of JIS X 0208': (card) => [...card].map((digit) => `233${digit}`).join(''),
  'unpacked digits': (card) => [...card].map((digit) => `0${digit}`).join(''),
};

/**
 * The base64 characters that encode only the card, wherever it begins in a group of three bytes.
 */
function base64Of(card: string): string[] {
  const written = [Buffer.from(card), packed(card), packed(`A${card}`), Buffer.from(hexOf(card))];
  return written.flatMap((bytes) =>
    [0, 1, 2].map((lead) => {
      const base64 = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64');
      const whole = Math.floor((4 * (lead + bytes.length - 1)) / 3);
      return base64.slice(Math.ceil((4 * (lead + 1)) / 3), whole);
    }),
  );
}

function digitsOf(seed: number, count: number): string {
  let state = BigInt(seed) + 1n;
  let digits = '';
  while (digits.length < count) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    digits += (state >> 33n) % 10n;
  }
  return digits;
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const weighted = i % 2 === 0 ? 2 * Number(digit) : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function grouped(card: string): string {
  return card.replace(/(\d{4})(?=\d)/g, '$1 ');
}

function packed(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}F`, 'hex');
}

function hexOf(text: string | Buffer): string {
  return Buffer.from(text as string, 'latin1')
    .toString('hex')
    .toUpperCase();
}

function withEvenParity(digit: string): number {
  const code = digit.charCodeAt(0);
  const ones = code.toString(2).replaceAll('0', '').length;
  return ones % 2 === 1 ? code | 0x80 : code;
}
