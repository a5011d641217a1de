import {z} from 'zod';
import {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from '../../contract/error-catalogue.js';
import {OPERATIONS, type Operation, pathOf} from '../../contract/operation.js';
import {
  processPayloadRequest,
  validateDeviceRequest,
  validatePartnerRequest,
} from '../../contract/request-schema.js';
import {
  errorResponse,
  processPayloadResponse,
  validationResponse,
} from '../../contract/response-schema.js';

const SCHEMAS = {
  ValidatePartnerRequest: validatePartnerRequest,
  ValidateDeviceRequest: validateDeviceRequest,
  ProcessPayloadRequest: processPayloadRequest,
  ValidationResponse: validationResponse,
  ProcessPayloadResponse: processPayloadResponse,
  ErrorResponse: errorResponse,
} as const;

type SchemaName = keyof typeof SCHEMAS;

interface Description {
  readonly summary: string;
  readonly request: SchemaName;
  readonly response: SchemaName;
}

const DESCRIPTIONS: Readonly<Record<Operation, Description>> = {
  'validate-partner': {
    summary: "Validate a partner's credentials",
    request: 'ValidatePartnerRequest',
    response: 'ValidationResponse',
  },
  'validate-device': {
    summary: 'Validate that a device is registered and functioning',
    request: 'ValidateDeviceRequest',
    response: 'ValidationResponse',
  },
  'process-payload': {
    summary: 'Decrypt the payload of a payment terminal',
    request: 'ProcessPayloadRequest',
    response: 'ProcessPayloadResponse',
  },
};

/** The OpenAPI 3.1 document of the interface, made from the zod contract and the error catalogue. */
export function openApiDocument(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payload Parser',
      version,
      description: 'Validates partners and devices, and decrypts payment terminal payloads.',
    },
    paths: Object.fromEntries(
      OPERATIONS.flatMap((operation) =>
        [true, false].map((versioned) => [
          pathOf(operation, versioned),
          pathItem(operation, versioned),
        ]),
      ),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonSchema(schema)]),
      ),
      securitySchemes: SECURITY_SCHEMES,
    },
    security: [{}, ...Object.keys(SECURITY_SCHEMES).map((name) => ({[name]: []}))],
  };
}

const SECURITY_SCHEMES = {
  basic: {type: 'http', scheme: 'basic'},
  digest: {type: 'http', scheme: 'digest'},
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
  const {summary, request, response} = DESCRIPTIONS[operation];
  return {
    post: {
      operationId: versioned ? operation : `${operation}-unversioned`,
      summary,
      requestBody: {required: true, content: json(request)},
      responses: {
        200: {description: 'Success', content: json(response)},
        ...Object.fromEntries(errorStatuses().map(([status, codes]) => [status, failure(codes)])),
      },
    },
  };
}

/** Where the case has a status of its own (docs/contract.md#errors). */
const OTHER_STATUSES: Readonly<Partial<Record<ErrorCode, readonly number[]>>> = {
  2008: [405],
  2009: [408, 417, 431],
};

/** The error codes by HTTP status. */
function errorStatuses(): [number, string[]][] {
  const byStatus = new Map<number, string[]>();
  for (const code of ERROR_CODES) {
    const {http, message} = ERROR_CATALOGUE[code];
    for (const status of [...(http === undefined ? [] : [http]), ...(OTHER_STATUSES[code] ?? [])])
      byStatus.set(status, [...(byStatus.get(status) ?? []), `${code} ${message}`]);
  }
  return [...byStatus].sort(([a], [b]) => a - b);
}

function failure(codes: readonly string[]) {
  return {description: codes.join('; '), content: json('ErrorResponse')};
}

function json(schema: SchemaName) {
  return {'application/json': {schema: {$ref: `#/components/schemas/${schema}`}}};
}

function jsonSchema(schema: z.ZodType) {
  const {$schema: _, ...rest} = z.toJSONSchema(schema, {target: 'draft-2020-12', io: 'input'});
  return rest;
}
