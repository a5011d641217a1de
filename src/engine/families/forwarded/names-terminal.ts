/** How a request of a processor shows whose terminal it is of. */
export interface TerminalSigns {
  /** The type or the vendor of the terminal. */
  readonly name: RegExp;
  /** What only its requests contain. */
  readonly member?: RegExp;
}

const POI_TYPE = /["']?(?:poi[ _-]?type|vendor)["']?\s*[:=]\s*["']?([\w .-]{1,40})/gi;

/**
 * True for a request that names a terminal, by `poiType`, by its vendor or by a member that only its
 * requests have (docs/terminals/forwarded.md#requests).
 */
export function namesTerminal(payload: string, {name, member}: TerminalSigns): boolean {
  if (member?.test(payload)) return true;
  return [...payload.matchAll(POI_TYPE)].some(([, given = '']) => name.test(given));
}
