import type {AuthMethod} from '../../contract/auth-method.js';
import type {
  Authentication,
  Configuration,
  ConfiguredPayload,
  Expectation,
  Level,
  Scenario,
  Step,
} from '../scenario.js';

/** A request of validate-partner, unless it names another operation. */
export type CaseStep = Omit<Step, 'operation'> & Partial<Pick<Step, 'operation'>>;

/** A rule that one request proves, or several independent ones; `clause` is page and heading. */
export type CaseRow = readonly [
  id: string,
  title: string,
  clause: string,
  step: CaseStep | readonly CaseStep[],
  more?: CaseTerms,
];

/** A request without credentials. */
export const none = {authentication: {method: 'none'}} as const;

interface CaseTerms {
  /** Default: transparent credentials, unless the first request has none. */
  readonly needs?: Scenario['needs'];
  /** Default: the scenarios that show whether the methods work. */
  readonly basis?: readonly string[];
  /** Replaces the body by one that the configuration gives. */
  readonly bodyOf?: (config: Configuration) => object | undefined;
}

/** A case as a scenario of a level. */
export function caseScenario(
  [id, title, clause, step, more = {}]: CaseRow,
  level: Level,
): Scenario {
  const steps: readonly CaseStep[] = [step].flat();
  const isOpen = steps[0]?.authentication?.method === 'none';
  const {needs = isOpen ? [] : ['transparent' as const], bodyOf} = more;
  const {basis = basisOf(needs).filter((other) => other !== id)} = more;
  return {
    ...{id, title, clause, level, needs, basis},
    steps: (config) => {
      const body = bodyOf?.(config);
      return steps.map((each) => ({operation: 'validate-partner', ...each, ...(body && {body})}));
    },
  };
}

/** The scenarios that show whether the methods work which a scenario needs. */
function basisOf(needs: Scenario['needs']): readonly string[] {
  return needs.map((need) =>
    need === 'transparent' ? 'partner-valid' : need === 'hmac' ? 'hmac-valid' : `auth-${need}`,
  );
}

/** A request of process-payload: a configured payload without what is known of its card. */
export function payloadRequest({expect: _, ...request}: Partial<ConfiguredPayload> = {}): object {
  return request;
}

type Extra = Partial<Omit<Expectation, 'success'>>;

/** A success response, and what the scenario requires in addition. */
export function success(extra: Extra = {}): Expectation {
  return {success: true, ...extra};
}

/** The error object. */
export function failure(extra: Extra = {}): Expectation {
  return {success: false, ...extra};
}

/** The error object of a call that was not authenticated. */
export function refused(extra: Extra = {}): Expectation {
  return failure({...extra, refused: true});
}

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
