import {BaseCommand} from '../cli/base-command.js';
import {arg, flag} from '../cli/flags/flag.js';
import {readSample} from '../cli/input/samples.js';
import {note, printVerbatim} from '../cli/output/output.js';
import {checkBaseUrl} from '../cli/send/base-url.js';
import {PaylensError} from '../contract/paylens-error.js';
import {COLLECTIONS} from '../export/collections.js';

type Form = keyof typeof COLLECTIONS;
const FORMS = Object.keys(COLLECTIONS) as Form[];

/** Prints the three operations as a collection that signs its requests itself. */
export default class Export extends BaseCommand {
  static override description =
    'Print the operations as a collection for another tool, which signs them itself.\n\n' +
    'Requests are signed by HMAC as they are sent. The shared key is never in the text: in Postman ' +
    'it is the variable sharedKey, elsewhere SHARED_KEY in the environment.';
  static override args = {
    form: arg.choice(FORMS, 'postman, http (for httpYac), curl (a shell script) or python'),
  };
  static override flags = {
    'base-url': flag.text('URL', 'base URL of the endpoint; default: http://127.0.0.1:8080'),
    partner: flag.text('ID', 'partner ID; default: DEMO', {char: 'p'}),
    'key-encoding': flag.choice(
      ['utf8', 'hex', 'base64'] as const,
      'encoding of the shared key; default: utf8',
    ),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> postman --partner WATERFORD > collection.json',
    '<%= config.bin %> <%= command.id %> python --key-encoding hex > requests.py',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Export);
    const {'base-url': url, partner: partnerId = 'DEMO', 'key-encoding': encoding = 'utf8'} = flags;
    const baseUrl = checkBaseUrl(url ?? 'http://127.0.0.1:8080');
    if (!/^[\x20-\x7e]*$/.test(partnerId) || /["\\{}$]/.test(partnerId))
      throw new PaylensError(
        9001,
        '--partner: expected ASCII without quotes, braces, backslashes and $',
      );
    if (/\d{12}/.test(partnerId))
      throw new PaylensError(9001, '--partner: expected a partner ID, found a card number');
    const swipe = JSON.parse(await readSample('idtech-swipe')) as object;
    const bodies = {
      'validate-partner': JSON.stringify({reference: 'validate-partner'}),
      'validate-device': JSON.stringify({
        serial: 'DEMO0001',
        firmware: '1.0',
        reference: 'validate-device',
      }),
      'process-payload': JSON.stringify({...swipe, reference: 'process-payload'}),
    };
    printVerbatim(COLLECTIONS[args.form as Form]({baseUrl, partnerId, encoding, bodies}));
    note('Set the shared key where it runs: it is not in this text.');
  }
}
