import {string} from '@oclif/core/flags';
import {BaseCommand} from '../cli/base-command.js';
import {cardTable} from '../cli/card-table.js';
import {keyfileFlags, testKeysFlag} from '../cli/key-flags.js';
import {newMessageId} from '../cli/new-message-id.js';
import type {KeyfileFlags} from '../cli/open-keyfile.js';
import {note, printJson, printResult} from '../cli/output.js';
import {payloadArgs, payloadFlags} from '../cli/payload-flags.js';
import {readInput} from '../cli/read-input.js';
import {referenceOf, requestBody, toRequest} from '../cli/request-input.js';
import type {ProcessPayloadResponse} from '../contract/process-payload.js';
import {type KeyRing, testKeyRing} from '../engine/dukpt/key-ring.js';
import {processPayload} from '../engine/process-payload.js';

/** Decrypts one payload and prints the card, or with --json the response of the service. */
export default class Decrypt extends BaseCommand {
  static override description = 'Decrypt a payload and show the card.';
  static override args = payloadArgs;
  static override flags = {
    ...payloadFlags,
    iv: string({description: 'IV, if the payload has none', helpValue: 'HEX'}),
    serial: string({description: 'serial number of the device', helpValue: 'TEXT'}),
    reference: string({description: 'reference to echo', helpValue: 'TEXT'}),
    client: string({description: 'client that owns the device', helpValue: 'TEXT'}),
    ...keyfileFlags,
    ...testKeysFlag,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> samples/idtech-swipe.json --test-keys',
    '<%= config.bin %> <%= command.id %> read.txt --device idtech --keyfile keys.age',
    '<%= config.bin %> <%= command.id %> - --json --test-keys < samples/idtech-swipe.json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Decrypt);
    const messageId = newMessageId();
    this.failureMembers = {messageId};
    const input = await readInput({...flags, argument: args.payload});
    const body = requestBody(input, flags.device);
    const reference = referenceOf(body) ?? flags.reference;
    const ids = {...(reference !== undefined && {reference}), messageId};
    this.failureMembers = ids;
    const request = toRequest(input, body, {
      deviceType: flags.device,
      ksn: flags.ksn,
      iv: flags.iv,
      deviceSerial: flags.serial,
      reference: flags.reference,
      clientId: flags.client,
    });
    const keys = flags['test-keys'] ? testKeyRing() : await keysOfKeyfiles(flags);
    const result = processPayload(request, keys);
    if (flags.json) printJson({success: true, ...ids, ...result} satisfies ProcessPayloadResponse);
    else printResult(await cardTable(result, flags.reveal));
    if (!flags.json && !flags.reveal) note('Card data is masked: --reveal shows it.');
  }
}

// Imported late: the test keys need nothing of what opens a keyfile.
async function keysOfKeyfiles(flags: KeyfileFlags): Promise<KeyRing> {
  const {loadKeyRing} = await import('../cli/open-keyfile.js');
  return loadKeyRing(flags);
}
