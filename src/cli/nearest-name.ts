import {closest, distance} from 'fastest-levenshtein';

/** Letters by which a mistyped name may differ from the one that is then suggested. */
const NEAR = 3;

/** The one of `names` that was probably meant by `name`, if one is near enough. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const found = closest(name, names);
  return distance(name, found) <= NEAR ? found : undefined;
}
