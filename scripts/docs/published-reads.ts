import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import type {DecryptionObserver, OpenedField} from '../../src/engine/explanation.js';
import type {PlannedField} from '../../src/engine/plan.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {
  PublishedRead,
  PublishedReads,
  ReadField,
  ReadKey,
} from '../../src/library/published-read.js';
import {bytesFromHex, upperHexOf} from '../../src/platform/bytes.js';
import {pageOf} from './terminal-tables.js';

/** Raised by hand when the reads of a release change (src/library/published-read.ts). */
const VERSION = '1.0.0';

/** A sample of the tests, of which only the published ones are given away. */
type Sample = Pick<PublishedRead, 'id' | 'title' | 'source' | 'expect'> & {
  readonly keys: readonly (Omit<ReadKey, 'kind'> & {readonly kind: ReadKey['kind'] | 'working'})[];
  readonly evidence: PublishedRead['evidence'] | 'synthetic';
  readonly request: Request;
};

type Request = Pick<PublishedRead, 'deviceType' | 'devicePayload' | 'ksn' | 'iv' | 'deviceSerial'>;

/**
 * The text of the file of the published reads among the samples in `folder`, with the fields of those
 * that decrypt. Its schema is docs/samples/published-reads.schema.json.
 */
export function publishedReadsText(folder: string): string {
  const reads = readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'extras.json')
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Sample[])
    .flatMap((sample) => readOf(sample) ?? []);
  const published: PublishedReads = {version: VERSION, reads};
  const file = {$schema: './published-reads.schema.json', ...published};
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** Reads under a working key have no KSN and no derivation: they test no DUKPT library. */
function readOf({evidence, request, ...sample}: Sample): PublishedRead | undefined {
  const {id, title, source, expect} = sample;
  const keys = sample.keys.flatMap(({kind, ...key}) => (kind === 'working' ? [] : {kind, ...key}));
  if (evidence === 'synthetic' || keys.length < sample.keys.length) return undefined;
  const page = `docs/${pageOf(request.deviceType)}`;
  const fields = expect.response === undefined ? {} : {fields: fieldsOf(request, keys)};
  return {id, title, source, evidence, page, ...request, keys, expect, ...fields};
}

function fieldsOf(request: Request, keys: PublishedRead['keys']): readonly ReadField[] {
  const ring = new KeyRing(
    keys.map(({kind, hex, ksnPrefix}) => ({
      kind,
      secret: new Secret(bytesFromHex(hex) ?? new Uint8Array()),
      ...(ksnPrefix === undefined ? {} : {ksnPrefix}),
    })),
  );
  const observer = new FieldCollector();
  processPayload(request, ring, {observer});
  return observer.fields;
}

class FieldCollector implements DecryptionObserver {
  readonly #opened = new Map<PlannedField, OpenedField>();
  fields: readonly ReadField[] = [];

  opened(field: OpenedField): void {
    this.#opened.set(field.planned, field);
  }

  accepted(planned: readonly PlannedField[]): void {
    this.fields = planned.flatMap((one) => {
      const opened = this.#opened.get(one);
      return opened ? [fieldOf(opened)] : [];
    });
  }
}

function fieldOf({planned, way, plain}: OpenedField): ReadField {
  const {field, ksn, iv, algorithm} = planned;
  if (!ksn) throw new Error(`${field.name}: expected a KSN`);
  const mode = way.mode ?? field.setting.mode;
  const {variant, selfEncrypted} = field.setting;
  const zeros = new Uint8Array(algorithm === 'aes' ? 16 : 8);
  return {
    name: field.name,
    ksn: ksn.hex,
    scheme: ksn.scheme,
    ...(ksn.scheme === 'tdes' ? {variant, selfEncrypted} : {usage: way.usage ?? 'data-encrypt'}),
    cipher: algorithm,
    mode,
    ...(mode === 'cbc' ? {iv: upperHexOf(iv ?? zeros)} : {}),
    ciphertext: upperHexOf(field.ciphertext),
    plaintext: upperHexOf(plain),
  };
}
