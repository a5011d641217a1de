/** The configuration of `verify` as a zod schema, from which its JSON Schema is made, too. */
import {z} from 'zod';
import {AUTH_METHODS, SHARED_KEY_ENCODINGS} from '../../contract/auth-method.js';
import {DEVICE_TYPES} from '../../contract/device-types.js';
import {unknownMember} from '../../files/schema-faults.js';

/** An object without members but the known ones: a mistyped one would leave scenarios out. */
function members<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {error: unknownMember(shape)});
}

const partner = members({
  partnerId: z.string().describe('Identifier issued to the partner.').optional(),
  partnerKey: z
    .string()
    .describe('For transparent, Basic and Digest; default: PAYLENS_PARTNER_KEY.')
    .optional(),
  sharedKey: z.string().describe('For HMAC; default: PAYLENS_SHARED_KEY.').optional(),
  encoding: z
    .enum(SHARED_KEY_ENCODINGS)
    .describe('How sharedKey is written; default: utf8.')
    .optional(),
  rsaPrivateKeyFile: z
    .string()
    .describe('PEM file with the private key for RSA, relative to this file.')
    .optional(),
});

const partnerWithoutHmac = members({
  partnerId: z.string(),
  sharedKey: z.string().describe('Any will do to be refused with.').optional(),
});

const device = members({
  serial: z.string().describe('Serial number.'),
  firmware: z.string().describe('Firmware version that the endpoint accepts.'),
  clientId: z.string().describe("The partner's client that owns the device.").optional(),
});

const payload = members({
  deviceType: z.enum(DEVICE_TYPES),
  devicePayload: z.string().describe('A read that the endpoint can decrypt.'),
  deviceSerial: z.string().optional(),
  ksn: z.string().optional(),
  iv: z.string().optional(),
  expect: z
    .record(z.string(), z.string())
    .describe('Members of `extracted` that must come back.')
    .optional(),
});

/** The whole file. */
export const verifyConfig = members({
  partner: partner.describe('The partner that sends the requests.').optional(),
  methods: z
    .array(z.enum(AUTH_METHODS), {error: `expected an array of ${AUTH_METHODS.join(', ')}`})
    .describe('The methods that the partner may use; default: those that the keys allow.')
    .optional(),
  partnerWithoutHmac: partnerWithoutHmac
    .describe('A partner whose signed requests are refused.')
    .optional(),
  device: device.describe('An active device of the partner.').optional(),
  inactiveDevice: device.describe('A device that may not process.').optional(),
  twoClients: device.describe('A device that several clients own.').optional(),
  payloads: z.record(z.string(), payload).describe('By name, usually the device type.').optional(),
  $schema: z.string().describe('The JSON Schema of this file.').optional(),
}).meta({title: 'Configuration of verify', description: 'Input of `paylens verify --config`.'});
