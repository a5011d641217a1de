import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from 'vitest';

const LIBRARY = path.resolve('test/tools/node_modules/@cyclonedx/cyclonedx-library');

// Without `npm ci` in test/tools there is nothing to judge with: .ci/run does that.
test.skipIf(!existsSync(LIBRARY))('the bill of materials is valid CycloneDX 1.6', async () => {
  const entry = pathToFileURL(path.join(LIBRARY, 'dist.node/index.node.js')).href;
  const {Validation, Spec} = (await import(entry)).default;
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const text = readFileSync('dist/sbom.cdx.json', 'utf8');
  expect(await validator.validate(text)).toBeNull();
  expect(await validator.validate(text.replace('"library"', '"book"'))).not.toBeNull();
});
