/**
 * The requests of the interface as zod schemas (docs/interface.md#requests), from which the OpenAPI
 * document and the JSON Schemas are generated. zod is slow to import, so import this module only
 * where it is needed, never on the start-up path of a command.
 */
import {z} from 'zod';
import {DEVICE_TYPES} from './device-types.js';
import {ERROR_CATALOGUE, ERROR_CODES} from './error-catalogue.js';

const partnerId = z
  .string()
  .describe('Partner identifier issued to the partner; required without an Authorization header.');
const partnerKey = z
  .string()
  .describe('API key issued to the partner; required without an Authorization header.');
const reference = z
  .string()
  .refine((text) => [...text].length <= 50, 'at most 50 characters')
  .meta({maxLength: 50, description: 'Partner-chosen identifier, echoed in the response.'});
const clientId = z.string().describe("Identifier of the partner's client that owns the device.");

/** Credentials are required in the body unless an Authorization header is sent. */
const credentials = {partnerId: partnerId.optional(), partnerKey: partnerKey.optional()};

/** Body of POST /api/v1/partner/validate. */
export const validatePartnerRequest = z.object({
  ...credentials,
  reference: reference.optional(),
});

/** Body of POST /api/v1/device/validate. */
export const validateDeviceRequest = z.object({
  ...credentials,
  reference: reference.optional(),
  serial: z.string().min(1).describe('Serial number of the device.'),
  firmware: z.string().min(1).describe('Firmware version as captured from the read.'),
  clientId: clientId.optional(),
});

/** Body of POST /api/v1/decrypt/parser. */
export const processPayloadRequest = processPayloadRequestOf(DEVICE_TYPES);

/** The same of a service that takes these types of terminal. */
export function processPayloadRequestOf(types: readonly string[]) {
  return z.object({
    ...credentials,
    deviceType: z.enum(types).describe('Type of terminal that produced the payload.'),
    devicePayload: z.string().min(1).describe("The terminal's payload to be decrypted."),
    deviceSerial: z.string().optional().describe('Serial number of the device.'),
    ksn: z.string().optional().describe('Key sequence number used to encrypt the payload.'),
    iv: z.string().optional().describe('Initialisation vector used to encrypt the payload.'),
    reference: reference.optional(),
    clientId: clientId.optional(),
  });
}

const messageId = z
  .string()
  .regex(/^\d{25}$/)
  .describe('Unique identifier of the response: 25 digits.');
const referenceEcho = z.string().optional().describe('Echo of the request reference.');

/** Success of validate-partner and validate-device. */
export const validationResponse = z.object({
  success: z.literal(true),
  reference: referenceEcho,
  messageId,
});

const trackObject = (encodings: ['hex', 'base64'] | ['hex', 'ascii']) =>
  z
    .object({
      decrypted: z.string().describe('Decrypted value extracted from the payload.'),
      ascii: z.string().describe('Decrypted value converted to an ASCII string.'),
      encoding: z.enum(encodings),
      length: z.int().describe('Characters in ascii.'),
      masked: z.string().describe('The data with PAN, CVV and discretionary data masked.'),
    })
    .optional();

const extracted = z.object({
  PAN: z.string().regex(/^\d{12,19}$/),
  EXPY: z
    .string()
    .regex(/^\d{4}$/)
    .describe('MMYY.'),
  CVV: z.string().optional(),
  street: z.string().optional(),
  ZIP: z.string().optional(),
  FirstName: z.string().optional(),
  Surname: z.string().optional(),
  ServiceCode: z.string().optional(),
  Discretionary: z.string().optional(),
});

/** Success of process-payload. */
export const processPayloadResponse = z.object({
  success: z.literal(true),
  reference: referenceEcho,
  messageId,
  meta: z.object({
    device: z.string().describe('Manufacturer of the device.'),
    serial: z.string().describe('Serial number of the device.'),
    mode: z.enum(['keyed', 'swiped', 'emv']),
  }),
  track1: trackObject(['hex', 'base64']),
  track2: trackObject(['hex', 'base64']),
  track3: trackObject(['hex', 'base64']),
  tlv: z.object({decrypted: z.string()}).optional(),
  track2equivalent: trackObject(['hex', 'ascii']),
  keyed: trackObject(['hex', 'ascii']),
  extracted,
});

/** Every failure. */
export const errorResponse = z.object({
  success: z.literal(false),
  errCode: z.literal(ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].http !== undefined)),
  errMessage: z.string(),
  messageId: z.string().optional(),
  reference: referenceEcho,
});
