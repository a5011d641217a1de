import {readFileSync} from 'node:fs';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {ProcessPayloadResult} from '../../src/contract/process-payload.js';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {RingKey, RingKeyKind} from '../../src/engine/dukpt/ring-key.js';
import type {TerminalRequest} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';

/** A published or made-up read, the keys of its case, and the expected response. */
export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly evidence: string;
  readonly request: TerminalRequest;
  readonly keys: readonly SampleKey[];
  /** Required members of the response, others are free; or the code of the error. */
  readonly expect: {readonly response?: object; readonly errCode?: number};
}

export interface SampleKey {
  readonly kind: RingKeyKind;
  readonly hex: string;
  readonly ksnPrefix?: string;
}

/** The samples of `test/samples/<name>.json`. Never empty, since many tests loop over them. */
export function readSamples(name: string): Sample[] {
  const url = new URL(`../samples/${name}.json`, import.meta.url);
  const samples: Sample[] = JSON.parse(readFileSync(url, 'utf8'));
  if (samples.length === 0) throw new Error(`no samples in ${name}.json`);
  return samples;
}

/** A key ring with exactly these keys. */
export function ringOf(keys: readonly SampleKey[]): KeyRing {
  return new KeyRing(
    keys.map(({kind, hex, ksnPrefix}): RingKey => {
      const secret = new Secret(Buffer.from(hex, 'hex'));
      return {kind, secret, ...(ksnPrefix === undefined ? {} : {ksnPrefix})};
    }),
  );
}

export const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';

/** The ANSI test BDK for every KSN. */
export function testRing(): KeyRing {
  return ringOf([{kind: 'bdk', hex: TEST_BDK}]);
}

export interface Answer {
  readonly response?: ProcessPayloadResult;
  readonly errCode?: number;
  /** Message and hint. */
  readonly message?: string;
}

/**
 * The result of the engine: the response, or the code of the error. Other exceptions are thrown.
 */
export function answer(request: TerminalRequest, ring: KeyRing = testRing()): Answer {
  try {
    return {response: processPayload(request, ring)};
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    return {errCode: error.code, message: `${error.message} (${error.hint})`};
  }
}
