import {describe, expect, it} from 'vitest';
import {ksnDigits} from '../../../src/input/written-ksn.js';
import {encrypt} from '../../engine/terminal.js';
import {diagnoseJson} from '../diagnosing.js';
import {Draw} from '../draw.js';

const draw = new Draw('written KSNs');
const KSN = draw.ksn();
const payload = encrypt(draw.track(), {ksn: KSN}).toString('hex');
const pairs = KSN.match(/../g) ?? [];

/** What a diagnosis says of the KSN as it was written. */
async function saidOf(ksn: string): Promise<string[]> {
  const {solved, verdicts} = await diagnoseJson({payload, ksn}, {usualOnly: true});
  const own = verdicts.filter(({rank, label}) => rank === 'mistake' && label.startsWith('ksn-'));
  return [String(solved), ...own.map(({label, detail}) => `${label}: ${detail}`)];
}

describe('a KSN as it was written', () => {
  it('keeps what looks like a prefix in base64', () => {
    expect(ksnDigits('////0xAAAOAACA==')).toBe('FFFFFFD3100000E00008');
  });

  it.each([KSN, KSN.toLowerCase(), pairs.join(' ')])('is right: %s', async (ksn) => {
    expect(await saidOf(ksn)).toEqual(['true']);
  });

  it.each([
    ...[`KSN=${KSN}`, `ksn: ${KSN}`, `0x${KSN}`, pairs.join(':'), `[${KSN}]`, `"${KSN}"`],
    ...[`${KSN};`, `{0x${pairs.join(', 0x')}}`],
    ...[`b'\\x${pairs.join('\\x')}'`, `"\\x${pairs.join('\\x')}"`],
  ])('holds more than its digits: %s', async (ksn) => {
    const said = `ksn-embedded: Pass its digits alone: ${KSN}.`;
    expect(await saidOf(ksn)).toEqual(['true', said]);
  });
});
