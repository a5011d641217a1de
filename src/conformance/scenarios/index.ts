import type {Scenario} from '../scenario.js';
import {INTERFACE_HMAC} from './interface-hmac.js';
import {INTERFACE_PAYLOAD} from './interface-payload.js';
import {INTERFACE_VALIDATION} from './interface-validation.js';
import {PAYLENS_CONTRACT} from './paylens-contract.js';
import {INTERFACE_CARDS, PAYLENS_CARDS} from './watched-cards.js';
import {INTERFACE_RESPONSES, PAYLENS_RESPONSES} from './watched-responses.js';

/** Every scenario, those of the interface first. */
export const SCENARIOS: readonly Scenario[] = [
  ...INTERFACE_VALIDATION,
  ...INTERFACE_PAYLOAD,
  ...INTERFACE_HMAC,
  ...INTERFACE_RESPONSES,
  ...INTERFACE_CARDS,
  ...PAYLENS_CONTRACT,
  ...PAYLENS_RESPONSES,
  ...PAYLENS_CARDS,
];
