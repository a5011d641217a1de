import {distance} from 'fastest-levenshtein';

/** Letters by which a mistyped name may differ from the one that is then suggested. */
const NEAR = 3;
/** Letters that are enough to complete a name. */
const ENOUGH = 3;

/**
 * The one of `names` that was probably meant by `typed`: the nearest, if a third of its letters at
 * most is wrong and less than half of those typed, else the first that begins so. Among names as near
 * it is one with the same first letter. Case does not count.
 */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const plain = typed.toLowerCase();
  const known = names.map((name) => ({name, lower: name.toLowerCase()}));
  const near = known
    .filter(({lower}) => Math.abs(lower.length - plain.length) <= NEAR)
    .map(({name, lower}) => {
      // The most common slip is one fault, not two.
      const wrong = isTransposed(plain, lower) ? 1 : distance(plain, lower);
      return {name, wrong, first: lower[0]};
    })
    .filter(({name, wrong}) => wrong <= Math.min(NEAR, Math.ceil(name.length / 3)))
    .filter(({wrong}) => wrong < plain.length / 2);
  const least = Math.min(...near.map(({wrong}) => wrong));
  const nearest = near.filter(({wrong}) => wrong === least);
  const meant = nearest.find(({first}) => first === plain[0]) ?? nearest[0];
  if (meant || plain.length < ENOUGH) return meant?.name;
  return known.find(({lower}) => lower.startsWith(plain))?.name;
}

function isTransposed(typed: string, name: string): boolean {
  const at = [...typed].findIndex((letter, index) => letter !== name[index]);
  const [first = '', second = ''] = typed.slice(at, at + 2);
  return at !== -1 && typed.slice(0, at) + second + first + typed.slice(at + 2) === name;
}

/**
 * The hint for a mistyped name, which follows `before`; undefined if none of `names` is near. What
 * was typed is not repeated: it may be a key.
 */
export function didYouMean(
  typed: string,
  names: readonly string[],
  before = '',
): string | undefined {
  const meant = nearestName(typed, names);
  return meant === undefined ? undefined : `Did you mean: ${before}${meant}`;
}
