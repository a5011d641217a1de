/** The members that are not undefined: a member of a JSON object is given or absent. */
export function defined<T extends object>(members: T): {[K in keyof T]?: NonNullable<T[K]>} {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as {[K in keyof T]?: NonNullable<T[K]>};
}
