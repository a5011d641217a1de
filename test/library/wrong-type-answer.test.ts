import {expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {writerOf} from '../../src/engine/families/terminal.js';
import {decrypt, explain, type SimulateResult, simulate} from '../../src/index.js';

const {types} = KNOWN_TERMINALS;

/** What every terminal sends in each of its modes. */
async function payloads(): Promise<SimulateResult[]> {
  const made = types.map(async (deviceType) => {
    const {modes} = await writerOf(KNOWN_TERMINALS.get(deviceType));
    const make = (mode: (typeof modes)[number]) => simulate({deviceType, mode, testKeys: true});
    return Promise.all(modes.map(make));
  });
  return (await Promise.all(made)).flat();
}

async function panAs(deviceType: string | undefined, {devicePayload, ksn, iv}: SimulateResult) {
  if (deviceType === undefined) return undefined;
  const {extracted} = await decrypt(devicePayload, {deviceType, ksn, iv, testKeys: true});
  return extracted.PAN;
}

/** Whether the answer to a wrong type names the right one, or one that opens it too; undefined: the wrong one does. */
async function leadsOn(wrong: string, sent: SimulateResult): Promise<boolean | undefined> {
  try {
    await panAs(wrong, sent);
    return undefined;
  } catch (error) {
    const {cause, next = ''} = await explain(error);
    expect(cause).not.toContain('-or-');
    const [, named] = /--device-type (\S+)/.exec(next) ?? [];
    const own = sent.deviceType;
    if (named === wrong) return false;
    if (named === own || cause.includes(` of ${own},`)) return true;
    const pan = await panAs(named, sent).catch(() => undefined);
    return pan !== undefined && pan === (await panAs(own, sent));
  }
}

it('a payload that is given as one of another type is answered with its own', async () => {
  const failed: string[] = [];
  let tries = 0;
  for (const [i, sent] of (await payloads()).entries()) {
    for (const step of [1, 5]) {
      const at = types.indexOf(sent.deviceType) + 1 + ((i * step) % (types.length - 1));
      const wrong = types[at % types.length] ?? '';
      const found = await leadsOn(wrong, sent);
      if (found !== undefined) tries += 1;
      if (found === false) failed.push(`${sent.deviceType} as ${wrong}`);
    }
  }
  expect(tries).toBeGreaterThan(60);
  expect(failed.length <= tries / 20 ? [] : failed).toEqual([]);
});
