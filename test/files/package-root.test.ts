import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {packageRoot, packageVersion} from '../../src/files/package-root.js';

const ROOT = new URL('../../', import.meta.url);

it('finds the folder and the version of the package', () => {
  expect(packageRoot().href).toBe(ROOT.href);
  const {version} = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  expect(packageVersion()).toBe(version);
});
