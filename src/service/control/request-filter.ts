import type {RequestFilter} from '../../contract/control/received-request.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';

/** The form of each parameter of `GET /_requests`, and its description. */
const FORMS: Readonly<
  Record<keyof RequestFilter, readonly [isValid: (text: string) => boolean, expected: string]>
> = {
  since: [(text) => /^\d{25}$/.test(text), 'a messageId of 25 digits'],
  reference: [() => true, 'a reference'],
  status: [(text) => /^[1-5]\d\d$/.test(text), 'an HTTP status'],
  deviceType: [(text) => KNOWN_TERMINALS.has(text), `one of ${KNOWN_TERMINALS.types.join(', ')}`],
};

/** Reads the query of a target as a filter. Throws 2005: a mistyped name must not match all. */
export function readRequestFilter(target: string): RequestFilter {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  const names = [...query.keys()];
  for (const name of names) {
    if (!Object.hasOwn(FORMS, name))
      throw new PaylensError(2005, `unknown filter: expected ${Object.keys(FORMS).join(', ')}`);
    if (query.getAll(name).length > 1) throw new PaylensError(2005, `${name}: expected once`);
  }
  const values = names.map((name) => [name, filterValue(name as keyof RequestFilter, query)]);
  return Object.fromEntries(values) as RequestFilter;
}

function filterValue(name: keyof RequestFilter, query: URLSearchParams): string | number {
  const text = query.get(name) ?? '';
  const [isValid, expected] = FORMS[name];
  if (!isValid(text)) throw new PaylensError(2005, `${name}: expected ${expected}`);
  return name === 'status' ? Number(text) : text;
}
