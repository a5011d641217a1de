import {describe, expect, it} from 'vitest';
import {encrypt} from '../../engine/terminal.js';
import {diagnoseJson, labelsOf} from '../diagnosing.js';

describe('two ciphertexts in lines of their own', () => {
  const KSN = 'FFFF9876543210E00021';
  const track = (pan: string, ksn = KSN) =>
    encrypt(`;${pan}=28012011234567?`.padEnd(40, '\0'), {ksn}).toString('hex');
  const keys = [{kind: 'bdk', hex: '0123456789ABCDEFFEDCBA9876543210'}] as const;
  const labels = async (...lines: string[]) =>
    labelsOf(await diagnoseJson({payload: lines.join('\n'), ksn: KSN, keys}));

  it('are several payloads if they are of two cards, or of two reads', async () => {
    const first = track('4012888888881881');
    expect(await labels(first, track('4761739001010010'))).toContain('several-payloads');
    const other = track('4012888888881881', 'FFFF9876543210E00044');
    expect(await labels(first, other)).toContain('several-payloads');
  });

  it.each([' ', '\n\n', '\t', ', ', ';', '|', ' and '])(
    'are several payloads with %j between them',
    async (between) => {
      const texts = [track('4012888888881881'), track('4761739001010010')];
      const payload = texts.join(between);
      expect(labelsOf(await diagnoseJson({payload, ksn: KSN, keys}))).toContain('several-payloads');
      const same = [track('4012888888881881').slice(0, 48), track('4012888888881881').slice(48)];
      const one = labelsOf(await diagnoseJson({payload: same.join(' '), ksn: KSN, keys}));
      expect(one).not.toContain('several-payloads');
    },
  );

  it('are none if they are the lines of one', async () => {
    const one = track('4012888888881881');
    const found = await labels(one.slice(0, 48), one.slice(48));
    expect(found).toContain('variant-data');
    expect(found).not.toContain('several-payloads');
  });
});
