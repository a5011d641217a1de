import type {DeviceType} from './device-types.js';

/**
 * The parameters of process-payload that reach the engine, without credentials. `Type` is a type of
 * the interface, unless the caller supports more terminals.
 */
export interface ProcessPayloadRequest<Type extends string = DeviceType> {
  readonly deviceType: Type;
  /** What the terminal sent. Binary payloads come one character per byte (latin1). */
  readonly devicePayload: string;
  readonly deviceSerial?: string | undefined;
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
  readonly reference?: string | undefined;
  readonly clientId?: string | undefined;
}

export const MODES = ['swiped', 'emv', 'keyed'] as const;

export type Mode = (typeof MODES)[number];
export type Encoding = 'hex' | 'base64' | 'ascii';

/** A track, track 2 equivalent or keyed object (docs/interface.md#track-object). */
export interface TrackObject {
  readonly decrypted: string;
  readonly ascii: string;
  readonly encoding: Encoding;
  readonly length: number;
  readonly masked: string;
}

export interface Extracted {
  readonly PAN: string;
  readonly EXPY: string;
  readonly CVV?: string;
  readonly street?: string;
  readonly ZIP?: string;
  readonly FirstName?: string;
  readonly Surname?: string;
  readonly ServiceCode?: string;
  readonly Discretionary?: string;
}

/** What process-payload answers, without `success`, `reference` and `messageId`. */
export interface ProcessPayloadResult {
  readonly meta: {readonly device: string; readonly serial: string; readonly mode: Mode};
  readonly track1?: TrackObject;
  readonly track2?: TrackObject;
  readonly track3?: TrackObject;
  readonly tlv?: {readonly decrypted: string};
  readonly track2equivalent?: TrackObject;
  readonly keyed?: TrackObject;
  readonly extracted: Extracted;
}

/** The success response of process-payload. */
export interface ProcessPayloadResponse extends ProcessPayloadResult {
  readonly success: true;
  readonly reference?: string;
  readonly messageId: string;
}
