import {payloadArgs, payloadFlags, terminalFlag} from '../cli/input/payload-flags.js';
import {readInput} from '../cli/input/read-input.js';
import {undoPaste} from '../cli/input/undo-paste.js';
import {inspectionTable} from '../cli/output/inspection-table.js';
import {note, printJson, printResult} from '../cli/output/output.js';
import {TerminalCommand} from '../cli/terminal-command.js';
import {inspectPayload} from '../engine/inspection/inspect-payload.js';
import {withWords} from '../engine/inspection/part-words.js';
import {ofRecognised} from '../engine/recognise.js';
import {requestBody, toRequest} from '../input/paste/request-input.js';

/** Names every byte of a payload. Needs no key. */
export default class Inspect extends TerminalCommand {
  static override description =
    'Parse a payload and label every byte.\n\n' +
    'No key is needed. Lengths, LRC, checksum and CRC are verified. EMV values are explained in words.';
  static override args = payloadArgs;
  static override flags = {...payloadFlags, ...terminalFlag};
  static override examples = [
    '<%= config.bin %> sample idtech-swipe | <%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> read.txt --device-type idtech --json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parseWithTerminals(Inspect);
    const {terminals, 'device-type': deviceType, ksn} = flags;
    const input = await undoPaste(await readInput({...flags, argument: args.payload}), flags);
    const {refusal} = await this.answering(
      {input, argument: args.payload, flags, command: 'inspect'},
      async () => {
        const body = requestBody(input, deviceType, terminals);
        const request = toRequest(input, body, {deviceType, ksn}, terminals);
        const {failure, ...read} = inspectPayload(request, flags.reveal, terminals);
        const found = {...read, parts: withWords(read.parts)};
        if (!flags.json) printResult(inspectionTable(found));
        else if (!failure) printJson(found);
        // With --json the parts read before the failure become members of the error object.
        if (failure) this.failureMembers = {...found};
        if (failure) throw (body ?? deviceType) ? failure : ofRecognised(failure);
        return found;
      },
    );
    if (refusal) note(`\`decrypt\` would reject this payload: ${refusal.errMessage}`);
  }
}
