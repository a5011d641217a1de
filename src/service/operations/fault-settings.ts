import {PaylensError} from '../../contract/paylens-error.js';

/**
 * Reads the share of requests that are to fail: `5%` or `0.05`.
 * Returns a function that says so for that share, evenly spread so that tests are repeatable.
 * Throws 9001 when it is neither.
 */
export function parseFailShare(text: string): () => boolean {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const share = Number(digits) / (percent === '%' ? 100 : 1);
  if (!(share >= 0 && share <= 1)) {
    throw new PaylensError(
      9001,
      '--fail-rate: expected a percentage such as 5%, or a fraction such as 0.05',
    );
  }
  let owed = 0;
  return () => {
    owed += share;
    if (owed < 1) return false;
    owed -= 1;
    return true;
  };
}
