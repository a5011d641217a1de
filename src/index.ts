export {DEVICE_TYPES, type DeviceType, isDeviceType} from './contract/device-types.js';
export {ERROR_CATALOGUE, ERROR_CODES, type ErrorCode} from './contract/error-catalogue.js';
export {type ErrorObject, PaylensError} from './contract/paylens-error.js';
export * from './service/start-server.js';
