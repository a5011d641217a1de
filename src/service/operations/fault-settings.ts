import {PaylensError} from '../../contract/paylens-error.js';

/**
 * Reads the share of requests that are to fail: `5%` or `0.05`. Returns a function that is true for
 * that share of its calls. Throws 9001 when it is neither.
 */
export function parseFailShare(text: string): () => boolean {
  const share = shareOf(text);
  if (share !== undefined) return spreadFails(share);
  throw new PaylensError(
    9001,
    `--fail-rate ${text}: expected a percentage such as 5%, or a fraction such as 0.05`,
  );
}

/** A percentage or a fraction as a number from 0 to 1; undefined when it is neither. */
export function shareOf(text: string): number | undefined {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const share = Number(digits) / (percent === '%' ? 100 : 1);
  return share >= 0 && share <= 1 ? share : undefined;
}

/** Whether the next request fails: a share of them, evenly spread so that tests are repeatable. */
export function spreadFails(share: number): () => boolean {
  let owed = 0;
  return () => {
    owed += share;
    if (owed < 1) return false;
    owed -= 1;
    return true;
  };
}
