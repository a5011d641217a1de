import {PaylensError} from '../../contract/paylens-error.js';

/** Converts every item. If some are unusable (9015), one error reports all of them. */
export function allOrNone<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R,
): readonly R[] {
  const faults: PaylensError[] = [];
  const made: R[] = [];
  items.forEach((item, index) => {
    try {
      made.push(make(item, index));
    } catch (error) {
      if (!(error instanceof PaylensError) || error.code !== 9015) throw error;
      faults.push(error);
    }
  });
  const [first] = faults;
  if (!first) return made;
  if (faults.length === 1) throw first;
  throw new PaylensError(9015, faults.map(({detail}) => detail).join('; '));
}
