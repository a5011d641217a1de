import {PaylensError} from '../../../src/contract/paylens-error.js';
import {demand, shapeOf} from '../fuzz-target.js';

/** The same as `resultOrError` for a promise. */
export async function errorOrAsync<T>(work: () => Promise<T>): Promise<T | PaylensError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaylensError) return error;
    throw error;
  }
}

/** Everything that an error shows, for people and for signatures. */
export function textOf({code, message, hint}: PaylensError): string {
  return `${code} ${message} (${hint})`;
}

/** The kind of an error: its code and the shape of its detail. */
export function kindOf({code, detail}: PaylensError): string {
  return `${code} ${shapeOf(detail)}`;
}

const SHORTEST = 12;

/** Finds any of `secrets` in a text, as is or in hex. */
export function patternOf(secrets: readonly string[]): RegExp {
  const long = secrets.filter(({length}) => length >= SHORTEST);
  const forms = long.flatMap((text) => [text, Buffer.from(text, 'latin1').toString('hex')]);
  return new RegExp(forms.length === 0 ? '(?!)' : forms.map(escaped).join('|'), 'i');
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}

/** Demands that an error shows no secret. */
export function demandSilence(error: PaylensError, secrets: RegExp): void {
  demand(!secrets.test(textOf(error)), `the error shows a secret: ${error.message}`);
}
