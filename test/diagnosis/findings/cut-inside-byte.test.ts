import {describe, expect, it} from 'vitest';
import {readSamples} from '../../engine/samples.js';
import {IS_LONG, seedOf} from '../../long.js';
import {diagnoseJson, labelsOf} from '../diagnosing.js';
import {Draw} from '../draw.js';

/** Hex frames of ID TECH readers and of the Prima M, each with a masked copy of the card in clear. */
const FRAMES = [
  ...['securemag-enh-3trk-hex', 'cybersource-bluefin-hex', 'vp3350-v2-msr-dfee23'],
  'prima-3trk',
].map((id) => {
  const sample = [...readSamples('idtech'), ...readSamples('prima')].find((one) => one.id === id);
  return [id, sample?.request.devicePayload ?? ''] as const;
});

async function labelsOfHex(payload: string): Promise<string[]> {
  return labelsOf(await diagnoseJson({payload}, {usualOnly: true}));
}

const SHARES = [0.3, 0.5, 0.85];
/** Of each frame one share, by the seed, and each share at least once; in a long run all. */
const CUT = FRAMES.flatMap(([id, payload], i) =>
  SHARES.filter((_, j) => IS_LONG || (i + j + (seedOf('share') >>> 1)) % SHARES.length === 0).map(
    (share) => [id, share, payload] as const,
  ),
);

describe('a frame cut inside a byte', () => {
  it.each(CUT)(
    '%s at %d of its length is called a frame that was cut',
    async (_, share, payload) => {
      const labels = await labelsOfHex(payload.slice(0, Math.floor(payload.length * share) | 1));
      expect(labels[0]).toBe('frame-cut');
      expect(labels).not.toContain('masked-part');
    },
  );
});

describe('hex of which one digit is missing', () => {
  it('is no frame that was cut, nor a masked copy', async () => {
    const [, prima = ''] = FRAMES.at(-1) ?? [];
    const labels = await labelsOfHex(prima.slice(0, -1));
    expect(labels).toContain('odd-hex');
    expect(labels).not.toContain('frame-cut');
    expect(labels).not.toContain('masked-part');
  });

  it.each(['02', '00', '5669'])('is no frame for beginning with %s', async (begin) => {
    const draw = new Draw('cut inside a byte');
    const labels = await labelsOfHex(`${begin}${draw.hex(95)}`.slice(0, -1));
    expect(labels).toContain('odd-hex');
    expect(labels).not.toContain('frame-cut');
  });
});
