import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';

/**
 * The key whose full-length components are XORed together, in any order. Throws 9015 for fewer than
 * two, for different lengths, and when they cancel out (the same component given twice).
 */
export function combineComponents(components: readonly Secret[]): Secret {
  const [first, ...rest] = components;
  if (!first || rest.length === 0) {
    throw new PaylensError(9015, `expected 2 or more components, found ${components.length}`);
  }
  const key = new Secret(first.reveal());
  rest.forEach((component, index) => {
    xorInto(key.reveal(), component.reveal(), index + 2);
  });
  if (key.reveal().some((byte) => byte !== 0)) return key;
  throw new PaylensError(
    9015,
    'the components XOR to zero: the same component may have been given twice',
  );
}

function xorInto(key: Uint8Array, component: Uint8Array, number: number): void {
  if (component.length !== key.length) {
    const lengths = `expected ${key.length} bytes, found ${component.length}`;
    throw new PaylensError(9015, `component ${number}: ${lengths}`);
  }
  for (let i = 0; i < key.length; i++) key[i] = (key[i] ?? 0) ^ (component[i] ?? 0);
}
