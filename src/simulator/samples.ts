/** A request that comes with the package, to try a command with in any folder. */
export interface Sample {
  readonly name: string;
  /** What it is, in a few words. */
  readonly about: string;
}

/** Every request below samples/, whose file is called as the sample is. */
export const SAMPLES = [
  {name: 'abecs-tracks', about: 'ABECS PIN pad: answer to GTK, each track under its own KSN'},
  {name: 'bbpos-track', about: 'BBPOS in the request of a processor, packed track 2'},
  {name: 'dspread-swipe', about: 'DSpread QPOS swipe, two packed tracks'},
  {name: 'generic-tracks', about: 'tracks 1 and 2 with their KSN as JSON'},
  {name: 'idtech-keyed', about: 'ID TECH keyed entry with CVV, street and ZIP'},
  {name: 'idtech-pin', about: 'ID TECH chip card with its PIN block, for decrypt --pin'},
  {name: 'idtech-private-key', about: 'ID TECH swipe under an unpublished key: gives error 2601'},
  {name: 'idtech-swipe', about: 'ID TECH enhanced swipe with three encrypted tracks'},
  {name: 'ifsf-track', about: 'IFSF host message, DE-127 with track 2'},
  {name: 'magtek-swipe', about: 'MagTek swipe, MagneSafe V5 string'},
  {name: 'newland-track', about: 'Newland in the request of a processor, track 1'},
  {name: 'nexo-request', about: 'nexo authorisation request, envelope of card data in XML'},
  {name: 'poynt-payment', about: 'Poynt payment, two tracks and EMV tags as JSON'},
  {name: 'spire-request', about: 'Spire SPm2 in the request of a processor, chip card'},
] as const satisfies readonly Sample[];

/** The name of a sample. */
export type SampleName = (typeof SAMPLES)[number]['name'];
