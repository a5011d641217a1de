import type {Scenario} from '../scenario.js';
import {INTERFACE_HMAC} from './interface-hmac.js';
import {INTERFACE_PAYLOAD} from './interface-payload.js';
import {INTERFACE_VALIDATION} from './interface-validation.js';
import {PAYLENS_CONTRACT} from './paylens-contract.js';

/** Every scenario, those of the interface first. */
export const SCENARIOS: readonly Scenario[] = [
  ...INTERFACE_VALIDATION,
  ...INTERFACE_PAYLOAD,
  ...INTERFACE_HMAC,
  ...PAYLENS_CONTRACT,
];
