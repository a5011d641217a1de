import type {ProcessPayloadResult} from '../contract/process-payload.js';
import type {KeyRing} from './dukpt/key-ring.js';
import {KNOWN_TERMINALS} from './families/registry.js';
import type {AnyRequest, TerminalSet} from './families/terminal-set.js';
import {type PipelineHooks, runPipeline} from './pipeline.js';

interface ProcessOptions extends PipelineHooks {
  /** Default: those of paylens. */
  readonly terminals?: TerminalSet | undefined;
}

/**
 * The pipeline from a terminal's payload to the card data of the response, the only one: `decrypt`,
 * `serve`, `diagnose`, the batch workers and the tests all use it.
 *
 * Throws, in this order (docs/terminals/common.md#order-of-checks): 2001 unknown terminal, 2100 and 2102 form, 2101 damage,
 * 2110 clear data, 2111 scheme, 2103 serial, 2400 KSN, 2602 IV, errors of `checkDevice`, 2600 key,
 * 2601 plaintext, 2800 PAN.
 */
export function processPayload(
  request: AnyRequest,
  keys: KeyRing,
  options: ProcessOptions = {},
): ProcessPayloadResult {
  const {terminals = KNOWN_TERMINALS} = options;
  return runPipeline(terminals, request, keys, options);
}
