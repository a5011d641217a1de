/**
 * A line of a devices file as a zod schema, from which its JSON Schema is made. A file may hold
 * 100,000 lines: device-line.ts reads them by hand.
 */
import {z} from 'zod';
import {DEVICE_STATUSES} from './device-registry.js';

const textField = z.string().meta({pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]{1,128}$'});

const deviceObject = z.looseObject({
  partnerId: textField.describe('Identifier of the partner that owns the device.'),
  serial: textField.describe('Serial number; leading zeros and case do not count.'),
  clientId: textField
    .describe("Identifier of the partner's client that owns the device.")
    .optional(),
  status: z.enum(DEVICE_STATUSES).describe('Only an active device may process payloads.'),
  firmware: z
    .array(textField)
    .describe('The versions that are accepted; none: every one.')
    .optional(),
});

/** One line: a device, or as the first line an object that only names the schema. */
export const deviceFileLine = z
  .union([deviceObject, z.strictObject({$schema: z.string()})])
  .meta({title: 'Devices', description: 'One line of a devices file (JSONL) of `paylens serve`.'});
