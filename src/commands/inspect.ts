import {BaseCommand} from '../cli/base-command.js';
import {payloadArgs, payloadFlags, strictFlag} from '../cli/input/payload-flags.js';
import {readInput} from '../cli/input/read-input.js';
import {undoPaste} from '../cli/input/undo-paste.js';
import {inspectionTable} from '../cli/output/inspection-table.js';
import {note, printJson, printResult} from '../cli/output/output.js';
import {inspectPayload} from '../engine/inspection/inspect-payload.js';
import {requestBody, toRequest} from '../engine/paste/request-input.js';

/** Names every byte of a payload. Needs no key. */
export default class Inspect extends BaseCommand {
  static override description =
    'Parse a payload and label every byte.\n\n' +
    'No key is needed. Lengths, LRC, checksum and CRC are verified.';
  static override args = payloadArgs;
  static override flags = {...payloadFlags, ...strictFlag};
  static override examples = [
    '<%= config.bin %> sample idtech-swipe | <%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> read.txt --device-type idtech --json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Inspect);
    const input = await undoPaste(await readInput({...flags, argument: args.payload}), flags);
    const body = requestBody(input, flags['device-type']);
    this.payload = body?.devicePayload ?? input;
    const request = toRequest(input, body, {deviceType: flags['device-type'], ksn: flags.ksn});
    const {failure, ...found} = inspectPayload(request, flags.reveal);
    if (!flags.json) printResult(inspectionTable(found));
    else if (!failure) printJson(found);
    // With --json the parts read before the failure become members of the error object.
    if (failure) this.failureMembers = found;
    if (failure) throw failure;
    if (found.refusal) note(`\`decrypt\` would reject this payload: ${found.refusal.errMessage}`);
  }
}
