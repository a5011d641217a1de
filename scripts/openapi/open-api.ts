import {z} from 'zod';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {ERROR_CATALOGUE, type ErrorCode} from '../../src/contract/error-catalogue.js';
import {
  errorResponse,
  processPayloadRequestOf,
  processPayloadResponse,
  validateDeviceRequest,
  validatePartnerRequest,
  validationResponse,
} from '../../src/contract/interface-schema.js';
import {OPERATIONS, type Operation, pathOf} from '../../src/contract/operation.js';
import {EXCHANGES, errorExample} from './examples.js';
import {errorsOf} from './operation-errors.js';

const SCHEMAS = {
  ValidatePartnerRequest: validatePartnerRequest,
  ValidateDeviceRequest: validateDeviceRequest,
  ProcessPayloadRequest: processPayloadRequestOf(DEVICE_TYPES),
  ValidationResponse: validationResponse,
  ProcessPayloadResponse: processPayloadResponse,
  ErrorResponse: errorResponse,
} as const;

type SchemaName = keyof typeof SCHEMAS;

interface Description {
  readonly summary: string;
  readonly description: string;
  readonly request: SchemaName;
  readonly response: SchemaName;
}

const DESCRIPTIONS: Readonly<Record<Operation, Description>> = {
  'validate-partner': {
    summary: "Validate a partner's credentials",
    description:
      'Succeeds if the credentials are right, whether in the body or in the Authorization header.',
    request: 'ValidatePartnerRequest',
    response: 'ValidationResponse',
  },
  'validate-device': {
    summary: 'Validate that a device is registered and functioning',
    description:
      'Succeeds if the partner owns a device of this serial number that is active and whose firmware version is accepted.',
    request: 'ValidateDeviceRequest',
    response: 'ValidationResponse',
  },
  'process-payload': {
    summary: 'Decrypt the payload of a payment terminal',
    description:
      'Parses what the terminal sent, decrypts it and extracts the card data. The response has the tracks that the payload contains.',
    request: 'ProcessPayloadRequest',
    response: 'ProcessPayloadResponse',
  },
};

const TAG = 'Payload Parser';

/**
 * The OpenAPI 3.1 document of the interface, made from the zod contract and the error catalogue.
 * `further` are types of terminal beyond the interface that the service takes as well.
 */
export function openApiDocument(version: string, further: readonly string[] = []) {
  const schemas = {
    ...SCHEMAS,
    ProcessPayloadRequest: processPayloadRequestOf([...DEVICE_TYPES, ...further]),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payload Parser',
      version,
      description: descriptionOf(further),
      license: {name: 'MIT', identifier: 'MIT'},
      contact: {name: 'paylens'},
    },
    servers: [
      {url: '/', description: 'The server that this document comes from'},
      {
        url: 'http://127.0.0.1:{port}',
        description: 'paylens serve on this machine',
        variables: {port: {default: '8080', description: 'What --port says'}},
      },
    ],
    tags: [{name: TAG, description: 'Every operation takes and returns JSON.'}],
    paths: Object.fromEntries(
      [true, false].flatMap((versioned) =>
        OPERATIONS.map((operation) => [
          pathOf(operation, versioned),
          pathItem(operation, versioned),
        ]),
      ),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, jsonSchema(schema)]),
      ),
      examples: allExamples(),
      securitySchemes: SECURITY_SCHEMES,
    },
    security: [{}, ...Object.keys(SECURITY_SCHEMES).map((name) => ({[name]: []}))],
  };
}

function descriptionOf(further: readonly string[]): string {
  const usual = 'Validates partners and devices, and decrypts payment terminal payloads.';
  if (further.length === 0) return usual;
  return `${usual} Extended: this server also takes terminals beyond the interface (${further.join(', ')}).`;
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

const SECURITY_SCHEMES = {
  basic: {type: 'http', scheme: 'basic', description: 'partnerId and partnerKey'},
  digest: {
    type: 'http',
    scheme: 'digest',
    description: 'Challenge and response (RFC 7616) with partnerId and partnerKey',
  },
  hmac: {
    type: 'http',
    scheme: 'Hmac',
    description: 'HMAC-SHA256 over the request target, nonce, timestamp and body hash',
  },
  rsa: {
    type: 'http',
    scheme: 'Rsa',
    description: 'RSASSA-PKCS1-v1_5 with SHA-256 over the same string to hash',
  },
} as const;

function pathItem(operation: Operation, versioned: boolean) {
  const {summary, description, request, response} = DESCRIPTIONS[operation];
  const names = Object.keys(EXCHANGES[operation]);
  const examples = (side: 'request' | 'response') =>
    Object.fromEntries(names.map((name) => [name, shared(`${operation}-${name}-${side}`)]));
  return {
    post: {
      operationId: versioned ? operation : `${operation}-unversioned`,
      tags: [TAG],
      summary: versioned ? summary : `${summary} (path without version)`,
      description: versioned
        ? description
        : `The same as ${pathOf(operation)}, which is preferred.`,
      ...(versioned ? {} : {deprecated: true}),
      requestBody: {required: true, content: json(reference(request), examples('request'))},
      responses: {
        200: {description: 'Success', content: json(reference(response), examples('response'))},
        ...Object.fromEntries(errorsOf(operation).map(failure)),
      },
    },
  };
}

function failure([status, codes]: readonly [number, readonly ErrorCode[]]) {
  const description = codes.map((code) => `${code} ${ERROR_CATALOGUE[code].message}`).join('; ');
  const schema = {
    allOf: [reference('ErrorResponse'), {type: 'object', properties: {errCode: {enum: codes}}}],
  };
  const examples = codes.map((code) => [code, shared(`error-${code}`)]);
  return [status, {description, content: json(schema, Object.fromEntries(examples))}];
}

/** Every example by its name among the components. */
function allExamples() {
  const exchanges = OPERATIONS.flatMap((operation) =>
    Object.entries(EXCHANGES[operation]).flatMap(([name, {summary, request, response}]) => [
      [`${operation}-${name}-request`, example(summary, request)],
      [`${operation}-${name}-response`, example(summary, response)],
    ]),
  );
  const codes = new Set(
    OPERATIONS.flatMap((operation) => errorsOf(operation).flatMap(([, each]) => each)),
  );
  const errors = [...codes]
    .sort((a, b) => a - b)
    .map((code) => [`error-${code}`, example(ERROR_CATALOGUE[code].hint, errorExample(code))]);
  return Object.fromEntries([...exchanges, ...errors]);
}

function shared(name: string) {
  return {$ref: `#/components/examples/${name}`};
}

function example(summary: string, value: object) {
  return {summary, value};
}

function json(schema: object, examples: object) {
  return {'application/json': {schema, examples}};
}

function reference(schema: SchemaName) {
  return {$ref: `#/components/schemas/${schema}`};
}

function jsonSchema(schema: z.ZodType) {
  const {$schema: _, ...rest} = z.toJSONSchema(schema, {target: 'draft-2020-12', io: 'input'});
  return rest;
}
