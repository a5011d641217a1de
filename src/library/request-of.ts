import {checkProcessPayload} from '../contract/check-request.js';
import type {AnyRequest, TerminalSet} from '../engine/families/terminal-set.js';
import {recogniseOne} from '../engine/recognise.js';
import {type Members, textOf} from './arguments.js';

/** What a payload may lack, and what must agree with it; what it holds need not be given. */
export interface PayloadOptions {
  /** Hex of any case: 20 digits for TDES, 24 for AES. */
  readonly ksn?: string | undefined;
  /** Hex, one cipher block; absent: that of the payload, else zeros. */
  readonly iv?: string | undefined;
  /** The serial number of the terminal, as it prints it. */
  readonly deviceSerial?: string | undefined;
}

/** The names of those options, and `deviceType`. */
export const PAYLOAD_OPTIONS = ['deviceType', 'ksn', 'iv', 'deviceSerial'] as const;

/** The request that a payload and its options make; absent `deviceType`: recognised by the payload. */
export function requestOf(
  devicePayload: string,
  {deviceType, ksn, iv, deviceSerial}: Members,
  terminals: TerminalSet,
): AnyRequest {
  const named = textOf(deviceType, 'deviceType');
  const texts = {
    ksn: textOf(ksn, 'ksn') ?? '',
    iv: textOf(iv, 'iv') ?? '',
    deviceSerial: textOf(deviceSerial, 'deviceSerial') ?? '',
  };
  const type = named ?? recogniseOne(devicePayload, terminals);
  const request = {...texts, deviceType: type, devicePayload};
  return checkProcessPayload(request, named === undefined ? [type] : terminals.types);
}
