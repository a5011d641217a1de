/**
 * Masks a PAN as terminals do: the first six and last four digits stay, spaces are not counted
 * (docs/terminals/common.md#masked-copies).
 */
export function maskMiddle(pan: string, mask = '*'): string {
  const digits = pan.replaceAll(' ', '').length;
  let seen = 0;
  return pan.replaceAll(/\d/g, (digit) => {
    seen++;
    return seen <= 6 || seen > digits - 4 ? digit : mask;
  });
}
