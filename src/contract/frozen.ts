/**
 * Makes a value unchangeable, with everything in it: what is exported is one for all who import it.
 * A program that changed a constant would change it for every other one.
 */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const content of Object.values(value)) frozen(content);
  return Object.freeze(value);
}
