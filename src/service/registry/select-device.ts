import {PaylensError} from '../../contract/paylens-error.js';
import type {DeviceLine} from './device-line.js';
import {comparableSerial} from './device-registry.js';

/** Says which device is meant, where the serial number is not unique. */
interface DeviceOwner {
  readonly partner?: string | undefined;
  /** An empty text: the device without a client. */
  readonly client?: string | undefined;
}

/** The one device that is meant. Throws 9001 when none or several fit. */
export function selectDevice(
  lines: readonly DeviceLine[],
  serial: string,
  {partner, client}: DeviceOwner,
): DeviceLine {
  const hint = {hint: 'Run `paylens device list` to see the devices.'};
  const wanted = comparableSerial(serial);
  const matching = lines.filter(
    ({device}) =>
      comparableSerial(device.serial) === wanted &&
      (partner === undefined || device.partnerId === partner) &&
      (client === undefined || (device.clientId ?? '') === client),
  );
  const [line] = matching;
  if (!line)
    throw new PaylensError(9001, `there is no device ${serial} of this partner and client`, hint);
  if (matching.length === 1) return line;
  throw new PaylensError(
    9001,
    `${matching.length} devices match: pass --partner, --client, or both`,
    hint,
  );
}
