export type {ErrorCode} from './contract/error-catalogue.js';
export {PaylensError} from './contract/paylens-error.js';
export type {ProcessPayloadResult as DecryptResult} from './contract/process-payload.js';
export {
  type DecryptWithOptions as DecryptOptions,
  decryptWith as decrypt,
} from './library/decrypt-with.js';
export type {FamilyTerminal} from './library/family-terminal.js';
export type {
  BaseKey,
  Bdk,
  InitialKey,
  Key,
  KeyMaterial,
  KeyOptions,
  WorkingKey,
} from './library/keys.js';
