import type {Finding} from './finding.js';
import type {GivenKey} from './key-candidates.js';
import type {Found} from './search.js';

/** Why keys that were given did not open what another key opened. */
export function explainKeys(found: Found, keys: readonly GivenKey[]): Finding[] {
  const unused = keys.filter(
    ({origin, source}) => origin === 'given' && !found.key.source.includes(source),
  );
  return unused.map(({source}) => ({label: 'key-wrong', detail: `${source}.`}));
}
