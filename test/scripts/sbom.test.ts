import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly {readonly alg: string; readonly content: string}[];
  readonly licenses: readonly object[];
}

const LIBRARY = path.resolve('test/tools/node_modules/@cyclonedx/cyclonedx-library');

const text = readFileSync('dist/sbom.cdx.json', 'utf8');
const bill: {
  readonly metadata: {readonly component: {readonly purl: string; readonly version: string}};
  readonly components: readonly Component[];
  readonly dependencies: readonly {readonly ref: string; readonly dependsOn: readonly string[]}[];
} = JSON.parse(text);
const nameOf = ({group, name, version}: Component) =>
  `${group === undefined ? '' : `${group}/`}${name}@${version}`;

/** What npm installs with this package, by its own account. */
async function installed(): Promise<string[]> {
  const argv = ['ls', '--omit=dev', '--all', '--parseable', '--long', '--package-lock-only'];
  const {stdout} = await execa('npm', argv, {reject: false});
  return stdout
    .split('\n')
    .slice(1)
    .flatMap((line) => /:((?:@[^/]+\/)?[^/:@]+@[^:]+)(?::|$)/.exec(line)?.[1] ?? []);
}

function bundled(): string[] {
  const heads = readFileSync('dist/LICENSES.txt', 'utf8').matchAll(
    /^(@?[a-z][^ ]*) (\d[^ ]*) \(/gm,
  );
  return [...heads].map(([, name, version]) => `${name}@${version}`);
}

describe('the bill of materials', () => {
  test('has every package that is installed or bundled, and no other', async () => {
    // Optional peers of prompts, which only the development installs.
    const own = (await installed()).filter((name) => !/^(?:@types\/node|undici-types)@/.test(name));
    expect(own.length).toBeGreaterThan(50);
    expect(bill.components.map(nameOf).sort()).toEqual([...new Set([...own, ...bundled()])].sort());
  });

  test('has the hashes of the lock, and a licence of each', () => {
    const {packages} = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, {version?: string; integrity?: string}>;
    };
    const locked = new Map(
      Object.entries(packages).map(([place, {version, integrity}]) => [
        `${place.replace(/^.*node_modules\//, '')}@${version}`,
        integrity,
      ]),
    );
    for (const component of bill.components) {
      const [hash] = component.hashes;
      const digest = Buffer.from(hash?.content ?? '', 'hex').toString('base64');
      expect([hash?.alg, `sha512-${digest}`]).toEqual(['SHA-512', locked.get(nameOf(component))]);
      expect(component.licenses).toHaveLength(1);
    }
  });

  test('has no dependency on what it does not have', () => {
    const known = new Set([bill.metadata.component.purl, ...bill.components.map(({purl}) => purl)]);
    expect(new Set(bill.dependencies.map(({ref}) => ref))).toEqual(known);
    for (const {dependsOn} of bill.dependencies)
      for (const each of dependsOn) expect(known).toContain(each);
  });

  // Without `npm ci` in test/tools there is nothing to judge with: .ci/run does that.
  test.skipIf(!existsSync(LIBRARY))('is valid CycloneDX 1.6', async () => {
    const entry = pathToFileURL(path.join(LIBRARY, 'dist.node/index.node.js')).href;
    const {Validation, Spec} = (await import(entry)).default;
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"library"', '"book"'))).not.toBeNull();
  });
});
