import type {Configuration, Scenario, Step} from '../scenario.js';

/** The answer to a caller who is not authenticated (docs/contract.md#http-statuses). */
export const UNAUTHORIZED = {
  status: 401,
  errCode: 1003,
  headers: {'www-authenticate': /Digest .*SHA-256/},
};

/** A rule of our contract that one request shows. */
export interface Case {
  readonly id: string;
  readonly title: string;
  /** Page and heading of the rule. */
  readonly clause: Scenario['clause'];
  readonly needs?: Scenario['needs'];
  /** A body that the configuration gives. */
  readonly bodyOf?: (config: Configuration) => object | undefined;
  readonly step: Omit<Step, 'operation'> & Partial<Pick<Step, 'operation'>>;
}

/** A case as a scenario: of validate-partner unless its step says otherwise. */
export function scenarioOf({
  id,
  title,
  clause,
  needs = ['transparent'],
  bodyOf,
  step,
}: Case): Scenario {
  return {
    id,
    title,
    clause,
    level: 'paylens',
    needs,
    steps: (config) => {
      const body = bodyOf?.(config) ?? step.body;
      return [{operation: 'validate-partner', ...step, ...(body === undefined ? {} : {body})}];
    },
  };
}
