export {AUTH_METHODS, type AuthMethod} from './contract/auth-method.js';
export {DEVICE_TYPES, type DeviceType, isDeviceType} from './contract/device-types.js';
export {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from './contract/error-catalogue.js';
export {type ErrorObject, PaylensError} from './contract/paylens-error.js';
export * from './library/decrypt.js';
export * from './library/derive-keys.js';
export * from './library/diagnose.js';
export * from './library/inspect.js';
export * from './library/key-blocks.js';
export type {Bdk, InitialKey, Key, KeyMaterial, KeyOptions} from './library/keys.js';
export {
  type RequestToSign,
  type SignOptions,
  type SignResult,
  signRequest,
} from './library/sign-request.js';
export * from './library/simulate.js';
export * from './library/verify-request.js';
export {TEST_CARDS, type TestCard} from './simulator/test-cards.js';
