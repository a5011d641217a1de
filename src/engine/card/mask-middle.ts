/**
 * Masks a PAN as terminals do: the first digits (`head`) and the last four stay, spaces are not
 * counted
 * (docs/terminals/common.md#masked-copies).
 */
export function maskMiddle(pan: string, mask = '*', head = 6): string {
  const digits = pan.replaceAll(' ', '').length;
  let seen = 0;
  return pan.replaceAll(/\d/g, (digit) => {
    seen++;
    return seen <= head || seen > digits - 4 ? digit : mask;
  });
}
