import {hasMessageId, isErrorObject, isJson, saysAuthenticationRequired} from '../rules.js';
import type {Expectation} from '../scenario.js';

type Extra = Partial<Omit<Expectation, 'success'>>;

/** A success response, and what the scenario requires in addition. */
export function success(extra: Extra = {}): Expectation {
  return {success: true, ...extra, rules: [isJson, hasMessageId, ...(extra.rules ?? [])]};
}

/** The error object. */
export function failure(extra: Extra = {}): Expectation {
  return {success: false, ...extra, rules: [isJson, isErrorObject, ...(extra.rules ?? [])]};
}

/** The error object of a call that was not authenticated. */
export function refused(extra: Extra = {}): Expectation {
  return failure({...extra, rules: [saysAuthenticationRequired, ...(extra.rules ?? [])]});
}
