import type {AuthMethod} from '../../contract/auth-method.js';
import type {Authentication, Expectation} from '../scenario.js';
import type {CaseRow} from './contract-case.js';

/** The body of signed requests; its blank is part of the content hash. */
export const SIGNED_BODY = '{"reference": "signed"}';

/** What differs from a valid request: its settings, or a change of the finished header. */
type SignedChange = Omit<Authentication, 'method'> | ((header: string) => string);

/** One signed request. */
export type SignedRow = readonly [id: string, title: string, change?: SignedChange, body?: string];

interface SignedGroup {
  readonly method: AuthMethod;
  /** Page and heading of the rule. */
  readonly clause: string;
  readonly expect: Expectation;
}

/** Cases of one method and one outcome. */
export function signedCases(
  {method, clause, expect}: SignedGroup,
  rows: readonly SignedRow[],
): CaseRow[] {
  return rows.map(([id, title, change = {}, body = SIGNED_BODY]) => {
    const settings = typeof change === 'function' ? {change} : change;
    const step = {authentication: {method, ...settings}, body, expect};
    return [id, title, clause, step, {needs: [method]}];
  });
}
