import {readFile} from 'node:fs/promises';
import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {packageRoot} from '../../files/package-root.js';

/** A request that comes with this package, to try a command with in any folder. */
export interface Sample {
  readonly name: string;
  /** What it is, in a few words. */
  readonly about: string;
}

/** Every request below samples/, whose file is called as the sample is. */
export const SAMPLES: readonly Sample[] = [
  {name: 'generic-tracks', about: 'tracks 1 and 2 with their KSN as JSON'},
  {name: 'idtech-keyed', about: 'ID TECH keyed entry with CVV, street and ZIP'},
  {name: 'idtech-private-key', about: 'ID TECH swipe under an unpublished key: gives error 2601'},
  {name: 'idtech-swipe', about: 'ID TECH enhanced swipe with three encrypted tracks'},
];

/** The request of a sample, as in its file. Throws 9001 for a name that none has. */
export async function readSample(name: string): Promise<string> {
  const plain = name.replace(/\.json$/, '');
  if (!SAMPLES.some((sample) => sample.name === plain)) throw unknownSample(plain);
  return readFile(new URL(`samples/${plain}.json`, packageRoot()), 'utf8');
}

// What was typed could be a payload, and is not repeated.
function unknownSample(name: string): PaylensError {
  const names = SAMPLES.map((sample) => sample.name);
  return new PaylensError(9001, `no such sample: expected ${names.join(', ')}`, {
    hint:
      didYouMean(name, names, 'paylens sample ') ??
      'Run `paylens sample` to see what each of them is.',
  });
}
