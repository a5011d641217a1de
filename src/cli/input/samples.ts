import {readFile} from 'node:fs/promises';
import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {packageRoot} from '../../files/package-root.js';
import {SAMPLES} from '../../simulator/samples.js';

/** The request of a sample, as in its file. Throws 9001 for a name that none has. */
export async function readSample(name: string): Promise<string> {
  const plain = name.replace(/\.json$/, '');
  const names: readonly string[] = SAMPLES.map((sample) => sample.name);
  if (names.includes(plain))
    return readFile(new URL(`samples/${plain}.json`, packageRoot()), 'utf8');
  throw new PaylensError(9001, `there is no sample ${plain}`, {
    hint:
      didYouMean(plain, names, 'paylens sample ') ??
      'Run `paylens sample` to see what each of them is.',
  });
}
