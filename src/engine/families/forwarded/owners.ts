import {hasPanBlock} from '../../forms/one-read.js';

/** By what a request says whose terminal it is of. */
interface Signs {
  /** The type or the vendor of the terminal. */
  readonly name: RegExp;
  /** What only its requests contain. */
  readonly member?: RegExp;
  /** Whether a payload contains a track as only it sends them. */
  readonly hasTrack?: (payload: string) => boolean;
}

const OWNER_SIGNS = {
  newland: {name: /newland/i},
  bbpos: {name: /bbpos/i},
  poynt: {
    name: /poynt/i,
    member: /\b0x1[Ff]810[2-4]\b|"track[12]data"\s*:\s*"[\dA-Fa-f]{16}/,
  },
  spire: {name: /\b(?:spire|spm2)\b/i, member: /\bthor-posmate\b/i},
  abecs: {
    name: /\babecs\b/i,
    member: /\b(?:SPE_?MTHDDAT|PP_?TRACK[123]|PP_?ENCPAN)\b/i,
    hasTrack: hasPanBlock,
  },
} as const satisfies Readonly<Record<string, Signs>>;

/** A terminal whose reads come in the requests of a processor. */
export type Owner = keyof typeof OWNER_SIGNS;

const POI_TYPE = /["']?(?:poi[ _-]?type|vendor)["']?\s*[:=]\s*["']?([\w .-]{1,40})/gi;

/**
 * The terminals that a request names, by `poiType` or by a member that only theirs have; none for
 * other payloads (docs/terminals/forwarded.md#requests).
 */
export function ownersOf(payload: string): readonly Owner[] {
  const named = [...payload.matchAll(POI_TYPE)].map(([, name = '']) => name);
  return Object.entries(OWNER_SIGNS).flatMap(
    ([owner, {name, member, hasTrack}]: [string, Signs]) =>
      member?.test(payload) || hasTrack?.(payload) || named.some((one) => name.test(one))
        ? [owner as Owner]
        : [],
  );
}
