import {describe, expect, it} from 'vitest';
import {diagnosisSteps} from '../../src/diagnosis/diagnose.js';
import {parseCase} from '../../src/input/case.js';
import {Draw} from './draw.js';

/** Between two steps others have a turn: no text of a megabyte may make one step long. */

const MAX_CHARS = 1_048_576;
/** 20 ms are meant; the rest is for machines that do other work, and for the garbage of a run. */
const MAX_STEP_CPU_MS = 400;
const BUDGET_MS = 1500;

const draw = new Draw('long steps');
const random = draw.bytes(MAX_CHARS);
const hex = random.toString('hex').slice(0, MAX_CHARS).toUpperCase();
const tlv = 'DFAE0210'.concat(hex.slice(0, 32), 'DFAE030AFFFF9876543210E00001');
const UNITS = {
  hex,
  'odd hex': hex.slice(1),
  base64: random.toString('base64'),
  latin1: random.toString('latin1'),
  digits: Array.from(random, (byte) => byte % 10).join(''),
  zeros: '0',
  text: 'The quick brown fox jumps over the lazy dog. ',
  json: `{"a":1,"data":"${hex.slice(0, 32)}"},`,
  'TLV objects': tlv,
  'TLV before zeros': `DFAE030AFFFF9876543210E00001${'00'.repeat(3000)}`,
  'nested TLV': 'FF8100',
  'hex in lines': `${hex.slice(0, 32)}\n`,
  'labelled keys': `key ${hex.slice(0, 32)} `,
  'labelled KSNs': 'ksn=FFFF9876543210E00001 ',
  braces: '}',
  escapes: '\\x41',
};

/** The longest CPU time of a step, in milliseconds. */
function longestStep(payload: string): number {
  const steps = diagnosisSteps(parseCase(JSON.stringify({payload})), {
    budgetMs: BUDGET_MS,
    now: () => performance.now(),
  });
  for (let longest = 0; ; ) {
    const before = process.cpuUsage();
    const {done} = steps.next();
    const {user, system} = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    if (done) return longest;
  }
}

describe.each([MAX_CHARS, MAX_CHARS / 2 - 1])('%i characters', (length) => {
  it.each(Object.entries(UNITS))('of %s are diagnosed in short steps', (_, unit) => {
    const payload = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    expect(longestStep(payload)).toBeLessThan(MAX_STEP_CPU_MS);
  });
});
