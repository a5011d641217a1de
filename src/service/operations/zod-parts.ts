import {z} from 'zod';

/** A whole number in a range. */
export function wholeNumber(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.number({error}).int({error}).min(min, {error}).max(max, {error});
}

/** One of some names. */
export function oneOf<const T extends readonly string[]>(names: T) {
  return z.enum(names, {error: `expected ${names.join(', ')}`});
}

/** The members of an object that are not undefined: an undefined one counts as absent. */
export function definedMembers(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
