import {readFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {type JsonObject, parseJsonObject} from '../../contract/parse-json.js';
import {packageRoot} from '../../files/package-root.js';
import {note} from '../output/output.js';
import {writePrivately, writeReport} from '../output/write-file.js';
import {commentedJson, type Described} from './json-with-comments.js';

const SCHEMA = 'verify-config.schema.json';

/**
 * Writes a configuration that fits the demo server, every member explained, and its JSON Schema
 * beside it. Throws 9001 when the file exists already, 9014 when it cannot be written.
 */
export async function writeConfig(file: string): Promise<void> {
  const root = packageRoot();
  const schema = await readFile(new URL(`docs/schemas/${SCHEMA}`, root), 'utf8');
  const demo = parseJsonObject(await readFile(new URL('samples/verify-demo.json', root)));
  const key = fileURLToPath(new URL('samples/demo-rsa-key.pem', root));
  const {partner} = demo as {partner: JsonObject};
  const values = {
    ...demo,
    $schema: `./${SCHEMA}`,
    partner: {...partner, rsaPrivateKeyFile: key},
  };
  await writePrivately(file, `${CONFIG_HEAD}${commentedJson(values, parseSchema(schema))}\n`);
  await writeReport(join(dirname(file), SCHEMA), schema);
  note(`Created ${file}, and ${SCHEMA} beside it. Replace the demo values by your own, then run:`);
  note(`  paylens verify BASE_URL --config ${basename(file)}`);
}

const CONFIG_HEAD = `// Configuration of \`paylens verify\`. Its values fit \`paylens serve --demo\`: replace them.
// Keys that you leave out are taken from PAYLENS_PARTNER_KEY and PAYLENS_SHARED_KEY.
// What your endpoint does not have, you can leave out and skip: \`--skip rsa\`, \`--skip twoClients\`.
`;

// Schemas are deeper than the bodies that parseJsonObject is for.
function parseSchema(text: string): Described {
  return JSON.parse(text);
}
