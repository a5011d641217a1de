export {AUTH_METHODS, type AuthMethod, isAuthMethod} from '../contract/auth-method.js';
