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

/** Longer lists are left to the checks, which refuse them. */
const MAX_ELEMENTS = 10_000;

/**
 * A copy of options whose objects have own members only, without those that are undefined: what
 * others added to Object.prototype is not an option.
 */
export function ownMembers(given: unknown): unknown {
  if (Array.isArray(given)) return given.length > MAX_ELEMENTS ? given : given.map(ownMembers);
  if (typeof given !== 'object' || given === null) return given;
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  const copies = members.map(([name, value]) => [name, ownMembers(value)]);
  return Object.assign(Object.create(null), Object.fromEntries(copies));
}
