/**
 * The requests of the interface as zod schemas (docs/interface.md#requests), from which the OpenAPI
 * document and the JSON Schemas are generated. zod is slow to import, so import this module only
 * where it is needed, never on the start-up path of a command.
 */
import {z} from 'zod';
import {DEVICE_TYPES} from './device-types.js';

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
