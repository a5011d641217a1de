/** A request that comes with the package, to try a command with in any folder. */
export interface Sample {
  readonly name: string;
  /** What it is, in a few words. */
  readonly about: string;
}

/** Every request below samples/, whose file is called as the sample is. */
export const SAMPLES = [
  {name: 'generic-tracks', about: 'tracks 1 and 2 with their KSN as JSON'},
  {name: 'idtech-keyed', about: 'ID TECH keyed entry with CVV, street and ZIP'},
  {name: 'idtech-pin', about: 'ID TECH chip card with its PIN block, for decrypt --pin'},
  {name: 'idtech-private-key', about: 'ID TECH swipe under an unpublished key: gives error 2601'},
  {name: 'idtech-swipe', about: 'ID TECH enhanced swipe with three encrypted tracks'},
] as const satisfies readonly Sample[];

/** The name of a sample. */
export type SampleName = (typeof SAMPLES)[number]['name'];
