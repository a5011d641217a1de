/**
 * The probability that a value of `b` is larger than one of `a` (the Mann-Whitney U as an area):
 * 0.5 if the two cannot be distinguished, 0 or 1 if one value is enough to do so.
 */
export function aucOf(a: readonly number[], b: readonly number[]): number {
  const ranked = [...a.map((value) => [value, 0]), ...b.map((value) => [value, 1])] as const;
  const sorted = [...ranked].sort(([x = 0], [y = 0]) => x - y);
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    const to = endOfTies(sorted, from);
    const own = sorted.slice(from, to).filter(([, group]) => group === 1).length;
    // Equal values share the mean of their ranks.
    ranks += (own * (from + 1 + to)) / 2;
    from = to;
  }
  return (ranks - (b.length * (b.length + 1)) / 2) / (a.length * b.length);
}

function endOfTies(sorted: readonly (readonly number[])[], from: number): number {
  let to = from + 1;
  while (to < sorted.length && sorted[to]?.[0] === sorted[from]?.[0]) to += 1;
  return to;
}
