import type {Level, Scenario} from '../../conformance/scenario.js';
import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** The flags that choose scenarios. */
export interface Choice {
  readonly level: Level;
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
}

/**
 * The scenarios to run. `only` and `skip` name scenarios or groups: what their ids begin with
 * (`hmac`), or what they need (`rsa`, `miura`). A scenario named by its whole id runs at
 * every level. Throws 9001 for a name that no scenario has, and when none is left.
 */
export function chooseScenarios(
  all: readonly Scenario[],
  {level, only = [], skip = []}: Choice,
): readonly Scenario[] {
  for (const name of only) assertKnown(name, all, '--only');
  for (const name of skip) assertKnown(name, all, '--skip');
  const isOfLevel = (scenario: Scenario) => level === 'paylens' || scenario.level === level;
  const isNamed = (scenario: Scenario) =>
    only.some((name) => scenario.id === name || (isOfLevel(scenario) && isIn(scenario, name)));
  const chosen = all.filter(only.length > 0 ? isNamed : isOfLevel);
  const kept = chosen.filter((scenario) => !skip.some((name) => isIn(scenario, name)));
  if (kept.length > 0) return kept;
  const hint = chosen.length > 0 ? 'Skip fewer scenarios.' : 'Add --level paylens.';
  throw new PaylensError(9001, `no scenario of level ${level} is left to run`, {hint});
}

function isIn({id, needs}: Scenario, group: string): boolean {
  const isNeed = needs.some((need) => need === group || need === `payload:${group}`);
  return isNeed || id === group || id.startsWith(`${group}-`);
}

function assertKnown(name: string, all: readonly Scenario[], flag: string): void {
  if (all.some((scenario) => isIn(scenario, name))) return;
  const names = all.flatMap(({id, needs}) => [id, ...needs, ...groupsOf(id)]);
  throw new PaylensError(9001, `${flag}: no such scenario or group`, {
    hint:
      didYouMean(name, [...new Set(names)]) ??
      'Run `paylens verify --list --level paylens` to see them.',
  });
}

/** What the words of an id, from the first, are a group of: `hmac` and `hmac-body`. */
function groupsOf(id: string): string[] {
  const words = id.split('-');
  return words.slice(1).map((_, i) => words.slice(0, i + 1).join('-'));
}
