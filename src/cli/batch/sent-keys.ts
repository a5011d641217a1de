import {Secret} from '../../contract/secret.js';
import type {RingKey} from '../../engine/dukpt/key-ring.js';
import type {RequestFlags} from '../../input/paste/request-input.js';

/** A key on its way to a worker: a Secret cannot be sent, its bytes can. */
export interface SentKey extends Omit<RingKey, 'secret'> {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface WorkerSettings {
  readonly flags: RequestFlags;
  readonly draw: number;
  readonly modules?: readonly string[];
}

/** Copies of the keys in buffers to transfer, so that no copy remains. */
export function sendKeys(keys: readonly RingKey[]): SentKey[] {
  return keys.map(({secret, ...key}) => ({
    ...key,
    bytes: new Uint8Array(secret.reveal()),
  }));
}

/** The keys; the buffers that carried them are zeroed. */
export function takeKeys(keys: readonly SentKey[]): RingKey[] {
  return keys.map(({bytes, ...key}) => {
    const secret = new Secret(bytes);
    bytes.fill(0);
    return {...key, secret};
  });
}
