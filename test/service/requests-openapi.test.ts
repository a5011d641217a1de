import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openApiDocument} from '../../scripts/openapi/open-api.js';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {ERROR_CATALOGUE, ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {
  errorResponse,
  processPayloadResponse,
  validationResponse,
} from '../../src/contract/interface-schema.js';
import {OPERATIONS, pathOf} from '../../src/contract/operation.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';

interface Node {
  readonly [name: string]: unknown;
}

const document: Node = JSON.parse(JSON.stringify(openApiDocument('1.2.3')));

/** Every object of the document with its place in it. */
function* walk(value: unknown, place = '#'): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Node];
  for (const [name, member] of Object.entries(value)) yield* walk(member, `${place}/${name}`);
}

function resolve(reference: string): unknown {
  const names = reference.split('/').slice(1);
  return names.reduce<unknown>((value, name) => (value as Node | undefined)?.[name], document);
}

const operations = [...walk(document)].filter(([, node]) => 'operationId' in node);

function deviceTypesOf(served: ReturnType<typeof openApiDocument>): unknown {
  const {properties} = served.components.schemas.ProcessPayloadRequest as Node;
  return ((properties as Node).deviceType as Node).enum;
}

describe('the OpenAPI document', () => {
  test('has the types of the interface, closed', () => {
    expect(deviceTypesOf(openApiDocument('1'))).toEqual(DEVICE_TYPES);
    expect(openApiDocument('1').info.description).not.toContain('xtended');
  });

  test('of an extended server has its types, and says so', () => {
    const extended = openApiDocument('1', ['quill']);
    expect(deviceTypesOf(extended)).toEqual([...DEVICE_TYPES, 'quill']);
    expect(extended.info.description).toMatch(/Extended: .*\(quill\)\.$/);
  });

  test('is of version 3.1 and has title and version', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: {title: expect.any(String), version: '1.2.3'},
    });
  });

  test('points only to what is there', () => {
    const references = [...walk(document)].flatMap(([, {$ref}]) =>
      $ref === undefined ? [] : [$ref],
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) expect(resolve(String(reference))).toBeTypeOf('object');
  });

  test('names every operation once', () => {
    const names = operations.map(([, {operationId}]) => operationId);
    expect([operations.length, new Set(names).size]).toEqual([6, 6]);
  });

  test('describes every response', () => {
    for (const [, {responses}] of operations) {
      for (const response of Object.values(responses as Node))
        expect(response).toMatchObject({description: expect.stringMatching(/\S/)});
    }
  });

  test('names its servers and its licence', () => {
    expect(document).toMatchObject({
      servers: [{url: '/'}, {url: expect.stringMatching(/^http:\/\/127\.0\.0\.1/)}],
      info: {license: {name: 'MIT', identifier: 'MIT'}},
    });
  });

  test('deprecates the paths without version, and no others', () => {
    const older = operations.filter(([, {deprecated}]) => deprecated === true);
    expect(older.map(([, {operationId}]) => operationId)).toEqual(
      operations
        .map(([, {operationId}]) => String(operationId))
        .filter((name) => name.endsWith('-unversioned')),
    );
    expect(older).toHaveLength(3);
  });

  test('has an example of every body', () => {
    const contents = [...walk(document.paths)].flatMap(
      ([, node]) => node['application/json'] ?? [],
    );
    for (const content of contents) {
      const {examples} = content as {examples: Record<string, {$ref: string}>};
      const values = Object.values(examples).map(({$ref}) => resolve($ref));
      expect(values.length).toBeGreaterThan(0);
      for (const value of values)
        expect(value).toMatchObject({summary: expect.any(String), value: expect.any(Object)});
    }
    expect(contents.length).toBeGreaterThan(6 * 10);
  });

  test('gives every schema a type, and lists as required only what it has', () => {
    const schemas = [...walk((document.components as Node).schemas)].filter(
      ([, node]) => node.type === 'object',
    );
    for (const [, {properties, required = []}] of schemas) {
      for (const name of required as string[]) expect(properties).toHaveProperty(name);
    }
    expect(schemas.length).toBeGreaterThan(5);
  });

  test('does not offer error codes that are never sent', () => {
    const {errCode} = (resolve('#/components/schemas/ErrorResponse') as Node).properties as Node;
    const sent = ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].http !== undefined);
    expect((errCode as Node).enum).toEqual(sent);
  });

  test('uses only security schemes that it defines', () => {
    const {securitySchemes} = document.components as Node;
    const used = (document.security as Node[]).flatMap((one) => Object.keys(one));
    expect(used.length).toBeGreaterThan(0);
    for (const name of used) expect(securitySchemes).toHaveProperty(name);
  });
});

describe('responses', () => {
  let demo: TestServer;
  let mock: TestServer;

  beforeAll(async () => {
    [demo, mock] = await Promise.all([startServer(), startServer({mode: 'mock'})]);
  });
  afterAll(() => Promise.all([demo.close(), mock.close()]));

  async function send(path: string, members: object, server = demo): Promise<unknown> {
    const {partnerId, partnerKey} = server.partner;
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({partnerId, partnerKey, ...members}),
    });
    return response.json();
  }

  const sample = (name: string) => JSON.parse(readFileSync(`samples/${name}.json`, 'utf8'));

  test.each([
    [PARTNER, {}],
    [PARTNER, {reference: 'r'}],
    [DEVICE, {serial: 'DEMO0001', firmware: '1.0', reference: 'r'}],
  ])('of %s with %j are exactly what the schema says', async (path, members) => {
    expect(validationResponse.strict().safeParse(await send(path, members)).error).toBeUndefined();
  });

  test.each(OPERATIONS)('of %s to its examples are the examples', async (operation) => {
    const examples = (resolve('#/components/examples') ?? {}) as Record<string, {value: Node}>;
    const names = Object.keys(examples).filter((name) => name.startsWith(`${operation}-`));
    const requests = names.filter((name) => name.endsWith('-request'));
    expect(requests.length).toBeGreaterThan(0);
    for (const name of requests) {
      const answer = (await send(pathOf(operation), examples[name]?.value ?? {})) as Node;
      const expected = examples[name.replace(/request$/, 'response')]?.value;
      expect({...answer, messageId: ''}).toEqual({...expected, messageId: ''});
    }
  });

  test.each(['idtech-swipe', 'idtech-keyed'])('of the sample %s, too', async (name) => {
    const answer = await send(PARSER, {...sample(name), reference: 'r'});
    expect(processPayloadResponse.strict().safeParse(answer).error).toBeUndefined();
  });

  test.each(['swipe', 'keyed'])('of mock mode, too: %s', async (name) => {
    const answer = await send(PARSER, sample(`idtech-${name}`), mock);
    expect(processPayloadResponse.strict().safeParse(answer).error).toBeUndefined();
  });

  test.each(ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].http !== undefined))(
    'of error %i, too',
    async (code) => {
      const answer = await send(PARTNER, {reference: `error:${code}`});
      expect(errorResponse.strict().safeParse(answer).error).toBeUndefined();
      expect(answer).toMatchObject({errCode: code, reference: `error:${code}`});
    },
  );
});
