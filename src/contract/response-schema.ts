/**
 * The responses of the interface as zod schemas (docs/interface.md#responses). zod takes long to
 * import: import this module where it is needed, never on the way of a command.
 */
import {z} from 'zod';
import {ERROR_CATALOGUE, ERROR_CODES} from './error-catalogue.js';

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
