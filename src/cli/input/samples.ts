import {readFile} from 'node:fs/promises';
import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {packageRoot} from '../../files/package-root.js';
import {SAMPLES} from '../../simulator/samples.js';

/** The request of a sample, as in its file. Throws 9001 for a name that none has. */
export async function readSample(name: string): Promise<string> {
  const plain = name.replace(/\.json$/, '');
  if (!SAMPLES.some((sample) => sample.name === plain)) throw unknownSample(plain);
  return readFile(new URL(`samples/${plain}.json`, packageRoot()), 'utf8');
}

function unknownSample(name: string): PaylensError {
  const names = SAMPLES.map((sample) => sample.name);
  return new PaylensError(9001, `there is no sample ${name}`, {
    hint:
      didYouMean(name, names, 'paylens sample ') ??
      'Run `paylens sample` to see what each of them is.',
  });
}
