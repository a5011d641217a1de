import {Secret} from '../../contract/secret.js';
import {type Exploration, type ExplorationOrder, explore, stepsOf} from '../model/explore.js';

/** An exploration as a worker sends it, and its keys as bytes: a Secret cannot be sent. */
export interface Explored {
  readonly exploration: Exploration;
  readonly keys: readonly Uint8Array[];
}

/** In the worker: explores a text. */
export function explored(order: ExplorationOrder): Explored {
  const exploration = explore(order);
  return {exploration, keys: stepsOf(exploration).map(({key}) => key.reveal())};
}

/** In the page: the exploration with its keys as secrets; their bytes are wiped. */
export function received({exploration, keys}: Explored): Exploration {
  const {opened} = exploration;
  if (!opened) return exploration;
  const secrets = keys.map((bytes) => {
    const secret = new Secret(bytes);
    bytes.fill(0);
    return secret;
  });
  const parts = opened.parts.map((part) => ({
    ...part,
    steps: part.steps.map((step) => ({
      ...step,
      key: secrets.shift() ?? new Secret(new Uint8Array()),
    })),
  }));
  return {...exploration, opened: {...opened, parts}};
}
