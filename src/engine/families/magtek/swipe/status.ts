/** Bits of the reader's status (docs/terminals/magtek.md#reader-status). */
export const STATUS_BITS: Readonly<Record<number, string>> = {
  0: 'keys exhausted',
  1: 'initial key injected',
  2: 'encryption enabled',
  3: 'authentication required',
  4: 'swipe timed out',
  8: 'encryption counter expired',
  9: 'second key injected',
  10: 'tracks under the second key',
  11: 'tracks under the data variant',
  12: 'MagnePrint under the second key',
  13: 'MagnePrint under the data variant',
};

/** Those that a reader checks: why there is no card, and which key was used. */
export const BIT = {exhausted: 0, injected: 1, enabled: 2, expired: 8, dataVariant: 11} as const;

/** Four hex digits as bits; in strings the low byte comes first. Undefined if it is not a status. */
export function statusOf(hex: string, lowFirst: boolean): number | undefined {
  if (!/^[0-9a-f]{4}$/i.test(hex)) return undefined;
  const [first, second] = [hex.slice(0, 2), hex.slice(2)];
  return Number.parseInt(lowFirst ? second + first : hex, 16);
}

export function hasBit(status: number | undefined, bit: number): boolean {
  return status !== undefined && ((status >> bit) & 1) === 1;
}

/** The bits that are set, in words. */
export function statusMeaning(status: number): string {
  const set = Object.entries(STATUS_BITS).filter(([bit]) => hasBit(status, Number(bit)));
  return set.map(([bit, meaning]) => `bit ${bit}: ${meaning}`).join(', ') || 'no bit set';
}
