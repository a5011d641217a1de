import {z} from 'zod';
import {verifyConfig} from '../../src/cli/verify/verify-config-schema.js';
import {diagnoseCase} from '../../src/input/case-schema.js';
import {keyImport} from '../../src/keyfile/key-forms.js';
import {deviceFileLine} from '../../src/service/registry/device-schema.js';

/** The files that users write, by the name of their JSON Schema. */
const FILE_SCHEMAS = {
  'verify-config': verifyConfig,
  'key-import': keyImport,
  devices: deviceFileLine,
  'diagnose-case': diagnoseCase,
} as const;

/** Every JSON Schema by its path below docs. Draft 7 is the newest that common editors support. */
export function jsonSchemas(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(FILE_SCHEMAS).map(([name, schema]) => [
      `schemas/${name}.schema.json`,
      `${JSON.stringify(z.toJSONSchema(schema, {target: 'draft-7', io: 'input'}), null, 2)}\n`,
    ]),
  );
}
