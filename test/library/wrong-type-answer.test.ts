import {expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {writerOf} from '../../src/engine/families/terminal.js';
import {decrypt, explain, type SimulateResult, simulate} from '../../src/index.js';
import {IS_LONG, tenthOf} from '../long.js';

const {types} = KNOWN_TERMINALS;

/** What a terminal sends in each of its modes, and with each value of each of its options. */
async function payloadsOf(deviceType: string): Promise<SimulateResult[]> {
  const {modes, options} = await writerOf(KNOWN_TERMINALS.get(deviceType));
  const settings = options.flatMap(({name, values}) =>
    values.slice(1).map((value) => ({[name]: value})),
  );
  const sent: SimulateResult[] = [];
  for (const mode of modes)
    for (const set of [{}, ...settings]) {
      const made = await simulate({deviceType, mode, options: set, testKeys: true}).catch(() => {});
      if (made && failureAs(deviceType, made) === undefined) sent.push(made);
    }
  return sent;
}

function failureAs(deviceType: string, {devicePayload, ksn, iv}: SimulateResult): unknown {
  try {
    decrypt(devicePayload, {deviceType, ksn, iv, testKeys: true});
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Whether the answer to a wrong type names the right one; undefined if the wrong one opens it. */
async function isNamed(wrong: string, sent: SimulateResult): Promise<boolean | undefined> {
  const error = failureAs(wrong, sent);
  if (error === undefined) return undefined;
  const {cause, next = ''} = await explain(error);
  expect(cause).not.toContain('-or-');
  return new RegExp(String.raw`(?<![\w-])${sent.deviceType}(?![\w-])`).test(`${cause} ${next}`);
}

it('a payload that is given as one of another type is answered with its own', async () => {
  const failed: string[] = [];
  let tries = 0;
  for (const deviceType of types) {
    const others = types.filter((type) => type !== deviceType);
    const all = await payloadsOf(deviceType);
    for (const [i, sent] of tenthOf(all, ({devicePayload}) => devicePayload).entries()) {
      const some = [5, 7].map((step) => others[(i * step + step) % others.length] ?? '');
      for (const wrong of IS_LONG ? others : some) {
        const found = await isNamed(wrong, sent);
        if (found !== undefined) tries += 1;
        if (found === false) failed.push(`${sent.devicePayload} of ${deviceType} as ${wrong}`);
      }
    }
  }
  expect(tries).toBeGreaterThan(60);
  expect(failed.length <= tries / 20 ? [] : failed).toEqual([]);
}, 600_000);
