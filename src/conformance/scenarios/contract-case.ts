import type {Configuration, ConfiguredPayload, Level, Scenario, Step} from '../scenario.js';

/** The answer to a caller who is not authenticated (docs/contract.md#http-statuses). */
export const UNAUTHORIZED = {
  status: 401,
  errCode: 1003,
  headers: {'www-authenticate': /Digest .*SHA-256/},
};

/** A request of validate-partner, unless it names another operation. */
export type CaseStep = Omit<Step, 'operation'> & Partial<Pick<Step, 'operation'>>;

/** A rule that one request proves, or several independent ones. */
export interface ContractCase {
  readonly id: string;
  readonly title: string;
  /** Page and heading of the rule. */
  readonly clause: Scenario['clause'];
  /** Default: transparent credentials. */
  readonly needs?: Scenario['needs'];
  readonly step: CaseStep | readonly CaseStep[];
  /** Replaces the body by one that the configuration gives. */
  readonly bodyOf?: (config: Configuration) => object | undefined;
}

/** A case as a scenario of a level. */
export function caseScenario(
  {needs = ['transparent'], bodyOf, step, ...about}: ContractCase,
  level: Level,
): Scenario {
  return {
    ...about,
    level,
    needs,
    steps: (config) => {
      const body = bodyOf?.(config);
      const steps: readonly CaseStep[] = [step].flat();
      return steps.map((each) => ({operation: 'validate-partner', ...each, ...(body && {body})}));
    },
  };
}

/** A request of process-payload: a configured payload without what is known of its card. */
export function payloadRequest({expect: _, ...request}: Partial<ConfiguredPayload> = {}): object {
  return request;
}
