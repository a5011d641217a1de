export {AUTH_METHODS, type AuthMethod} from './contract/auth-method.js';
export {DEVICE_TYPES, type DeviceType, isDeviceType} from './contract/device-types.js';
export {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from './contract/error-catalogue.js';
export {type ErrorObject, errorObjectOf} from './contract/error-object.js';
export {PaylensError} from './contract/paylens-error.js';
export type {Mode} from './contract/process-payload.js';
export type {
  CardContent,
  CardPlace,
  DecryptedTlv,
  KeyedEntry,
  Track2Equivalent,
} from './engine/card/card-content.js';
export type {Fact, FactKind} from './engine/card/evidence.js';
export type {MaskedPan} from './engine/card/masked-pans.js';
export type {Track} from './engine/card/track-data.js';
export type {Variant} from './engine/dukpt/key-usage.js';
export type {FormatEvidence as Evidence, Summary as About} from './engine/families/about.js';
export type {Framing, RepairedFrame} from './engine/families/terminal.js';
export type {OwnTerminal as Terminal, OwnTrace as Trace} from './engine/own/terminal.js';
export type {CipherSetting, EncryptedField, MessageMac, Reading} from './engine/reading.js';
export type {Check, Part, Sensitivity, Unit} from './engine/trace.js';
export type {
  CardImage,
  WriteRequest,
  Writer,
  WriterOption,
  Written,
} from './engine/writing.js';
export * from './library/decrypt.js';
export * from './library/derive-keys.js';
export {
  type AbortSignalLike,
  type CaseKey,
  type DiagnoseCase,
  type DiagnoseOptions,
  type DiagnoseResult,
  diagnose,
} from './library/diagnose.js';
export * from './library/explain.js';
export * from './library/inspect.js';
export * from './library/key-blocks.js';
export type {
  BaseKey,
  Bdk,
  InitialKey,
  Key,
  KeyMaterial,
  KeyOptions,
  WorkingKey,
} from './library/keys.js';
export type {PayloadOptions} from './library/request-of.js';
export {
  type RequestToSign,
  type SignOptions,
  type SignResult,
  signRequest,
} from './library/sign-request.js';
export * from './library/simulate.js';
export type {AnyTerminalType, TerminalOptions} from './library/terminals.js';
export * from './library/verify-request.js';
export {TEST_CARDS, type TestCard} from './simulator/test-cards.js';
