import type {ProcessPayloadResult} from '../contract/process-payload.js';
import {runPipeline} from '../engine/pipeline.js';
import {membersOf, payloadOf} from './arguments.js';
import {FamilyTerminal} from './family-terminal.js';
import {KEY_OPTIONS, type KeyOptions, withKeys} from './keys.js';
import {PAYLOAD_OPTIONS, type PayloadOptions, requestOf} from './request-of.js';
import {safely} from './safe-errors.js';

/** Settings of `decrypt` of `paylens/decrypt`. */
export interface DecryptWithOptions extends KeyOptions, PayloadOptions {
  /** The terminals whose payloads are decrypted: one or more of `paylens/terminals`. */
  readonly terminals: readonly FamilyTerminal[];
  /** The type of one of them; absent: recognised by the payload. */
  readonly deviceType?: string | undefined;
}

const DECRYPT_WITH_OPTIONS = ['terminals', ...PAYLOAD_OPTIONS, ...KEY_OPTIONS];

/**
 * Decrypts a payload of one of the given terminals, like `decrypt` of `paylens`, which knows all of
 * them and is several times as large. Returns the members of the process-payload response without
 * success, messageId and reference (docs/interface.md#process-payload-response).
 *
 * Throws the same PaylensErrors: 2005 for a wrong argument, 9015 for an unusable key, 2000 if
 * several terminals match, 2001 for the type of another terminal, 2100 to 2111 for what is in the
 * payload, 2400 for the KSN, 2600 without a key for it, 2601 if the key is wrong, 2602 for the IV,
 * 2800 without a PAN.
 */
export function decryptWith(
  payload: string | Uint8Array,
  options: DecryptWithOptions,
): ProcessPayloadResult {
  // Without the masks, which are a tenth of a small bundle: any number as long as that of a card.
  const hideDigits = (text: string) => text.replace(/(?<!\d)\d{12,19}(?!\d)/g, '[hidden]');
  return safely(() => {
    const members = membersOf(options, 'options', DECRYPT_WITH_OPTIONS);
    const terminals = FamilyTerminal.setOf(members.terminals);
    const request = requestOf(payloadOf(payload), members, terminals);
    return withKeys(members, (keys) => runPipeline(terminals, request, keys, {}));
  }, hideDigits);
}
