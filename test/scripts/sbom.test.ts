import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
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

/** The packages whose modules the source maps of the build name. */
function mapped(): string[] {
  const files = readdirSync('dist', {recursive: true, encoding: 'utf8'});
  const sources = files
    .filter((file) => file.endsWith('.js.map'))
    .flatMap(
      (file) => JSON.parse(readFileSync(path.join('dist', file), 'utf8')).sources as string[],
    );
  const folders = sources.flatMap(
    (source) =>
      /[^./].*node_modules\/(?:@[^/]+\/)?[^/]+|node_modules\/(?:@[^/]+\/)?[^/]+/.exec(
        source,
      )?.[0] ?? [],
  );
  return [...new Set(folders)].map((folder) => {
    const {name, version} = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
}

function bundled(): string[] {
  const heads = readFileSync('dist/LICENSES.txt', 'utf8').matchAll(
    /^(@?[a-z][^ ]*) (\d[^ ]*) \(/gm,
  );
  return [...heads].map(([, name, version]) => `${name}@${version}`);
}

describe('the bill of materials', () => {
  test('has every package that is bundled, and no other', () => {
    const names = bill.components.map(nameOf);
    expect(new Set(names)).toEqual(new Set(bundled()));
    const own = mapped();
    expect(own.length).toBeGreaterThan(80);
    // Those of the pages and of other runtimes have no source maps.
    expect(names).toEqual(expect.arrayContaining(own));
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
