// Lists in the form of CycloneDX 1.6 the packages whose code is bundled with ours: nothing else is
// installed with paylens.
import {Buffer} from 'node:buffer';

/**
 * The bill of materials, from the content of package.json and package-lock.json. `bundled` are the
 * places of the bundled packages in the lock. The same lock gives the same text.
 */
export function billOfMaterials({name, version, description, license}, {packages}, bundled) {
  const places = new Set(bundled);
  const shipped = bundled.map((place) => [place, packages[place]]);
  const self = purlOf(name, version);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...{type: 'application', 'bom-ref': self, name, version, description},
        ...{licenses: [{license: {id: license}}], purl: self},
      },
    },
    components: unique(shipped.map(([place, entry]) => component(place, entry))),
    dependencies: unique([
      {ref: self, dependsOn: [...new Set(shipped.map(purlOfPlace))].sort()},
      ...shipped.map((each) => ({
        ref: purlOfPlace(each),
        dependsOn: dependsOn(each[0], packages, places),
      })),
    ]),
  };
}

function component(place, {version, integrity, license, resolved}) {
  const name = nameOf(place);
  const purl = purlOf(name, version);
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    ...{type: 'library', 'bom-ref': purl, ...(group && {group}), name: short, version},
    scope: 'required',
    ...(integrity && {hashes: hashesOf(integrity)}),
    ...(license && {licenses: [licenceOf(license)]}),
    purl,
    ...(resolved && {externalReferences: [{type: 'distribution', url: resolved}]}),
    properties: [{name: 'paylens:bundled', value: 'true'}],
  };
}

function nameOf(place) {
  return place.replace(/^.*node_modules\//, '');
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Subresource Integrity has base64, CycloneDX hex. */
function hashesOf(integrity) {
  return integrity.split(' ').map((each) => {
    const [algorithm, digest] = each.split(/-(.*)/s);
    const alg = algorithm.toUpperCase().replace('SHA', 'SHA-');
    return {alg, content: Buffer.from(digest, 'base64').toString('hex')};
  });
}

function licenceOf(license) {
  return /[ (]/.test(license) ? {expression: license} : {license: {id: license}};
}

function namesOf({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies ?? {});
  return [
    ...Object.keys({...dependencies, ...optionalDependencies}),
    ...peers.filter((name) => !peerDependenciesMeta[name]?.optional),
  ];
}

function dependsOn(place, packages, places) {
  const found = namesOf(packages[place]).map((name) => placeFrom(place, name, packages));
  return [...new Set(found)]
    .filter((each) => places.has(each))
    .map((each) => purlOfPlace([each, packages[each]]))
    .sort();
}

function purlOfPlace([place, {version}]) {
  return purlOf(nameOf(place), version);
}

/** The place of a package as Node finds it: in the folder of the one that needs it, then above. */
function placeFrom(place, name, packages) {
  for (let above = place; ; above = above.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const here = `${above}${above && '/'}node_modules/${name}`;
    if (here in packages) return here;
    if (above === '') return undefined;
  }
}

/** One version of a package may be in several places. */
function unique(entries) {
  const byReference = new Map(entries.map((each) => [each['bom-ref'] ?? each.ref, each]));
  return [...byReference.values()].sort((a, b) =>
    (a['bom-ref'] ?? a.ref) < (b['bom-ref'] ?? b.ref) ? -1 : 1,
  );
}
