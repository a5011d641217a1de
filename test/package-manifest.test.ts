import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

// npm packs package.json as it is, and would run these scripts where paylens is installed from a
// folder or a repository. `dependencies` runs only for the project itself.
test('the packed manifest has no script that runs at an installation', () => {
  const {scripts} = JSON.parse(readFileSync('package.json', 'utf8'));
  const found = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'].filter(
    (name) => name in scripts,
  );
  expect(found).toEqual([]);
  expect(scripts.dependencies).toContain('npm run build');
});
