import {Linter} from 'eslint';
import {expect, it} from 'vitest';

const OURS = /\/src\/(?!page)/;

/** Notes every expression that code of src makes at run time; the lint rule sees only literals. */
function noteExpressions(): Set<string> {
  const noted = new Set<string>();
  const note = (made: RegExp) => {
    const [caller = ''] = new Error().stack?.split('\n').slice(3) ?? [];
    if (OURS.test(caller)) noted.add(String(made));
    return made;
  };
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, given) => note(Reflect.construct(target, given)),
    apply: (target, self, given) => note(Reflect.apply(target, self, given)),
  });
  return noted;
}

it('no expression made at run time takes more than linear time', async () => {
  const noted = noteExpressions();
  const file = '../../scripts/checks/linear-time.config.mjs';
  const {default: config} = await import(file);
  const {sweepEntries} = await import('./entries.js');
  const {outcome} = await import('./measure.js');
  const {SWEEP_TEXTS} = await import('./texts.js');
  const entries = await sweepEntries();
  for (const text of SWEEP_TEXTS.filter((_, index) => index % 40 === 0))
    for (const {prepare, run} of entries) {
      const given = prepare ? prepare(text.ofSize(200)) : text.ofSize(200);
      await outcome(() => run(given));
    }
  expect(noted.size).toBeGreaterThan(10);
  const faults = [...noted].flatMap((one) => {
    const messages = new Linter().verify(`export const made = ${one};`, config, 'made.js');
    return messages.map(({message}) => `${one}: ${message}`);
  });
  expect(faults).toEqual([]);
});
