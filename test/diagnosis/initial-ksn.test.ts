import {describe, expect, it} from 'vitest';
import {bytesOf, encrypt} from '../engine/terminal.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

/** The initial KSN of a device in place of that of the read, as its label, order or log shows it. */
const draw = new Draw('initial KSNs');
const FORMS = [
  ['the counter is 0', (ksn: string) => withCounter(ksn, 0n)],
  ['all bits of the counter are set', (ksn: string) => withCounter(ksn, 0x1fffffn)],
  ['the last five digits are F', (ksn: string) => `${ksn.slice(0, -5)}FFFFF`],
  ['the counter is 0, and FFFF is left out', (ksn: string) => withCounter(ksn, 0n).slice(4)],
] as const;
const COUNTERS = [1, 2, 21, 32, 63, 64];

async function outcomeOf(hex: string, ksn: string, keys: {kind: 'bdk'; hex: string}[] = []) {
  const found = await diagnoseJson({ciphertexts: [{hex}], ksn, keys}, {usualOnly: true});
  return {hex: found.plaintexts[0]?.hex, ksn: found.solution?.ksn, labels: labelsOf(found)};
}

function opened(text: string, ksn: string, label = 'ksn-initial') {
  const hex = expect.stringContaining(bytesOf(text).toString('hex'));
  return {hex, ksn, labels: expect.arrayContaining([label])};
}

describe('an initial KSN', () => {
  const cases = FORMS.flatMap(([name, make]) => COUNTERS.map((n) => [name, n, make] as const));
  it.each(cases)('of which %s opens read %i', async (_, counter, make) => {
    const ksn = draw.ksnWith(counter);
    const text = draw.track();
    const hex = encrypt(text, {ksn}).toString('hex');
    expect(await outcomeOf(hex, make(ksn))).toEqual(opened(text, ksn));
  });

  it.each(['00000000', 'FFFFFFFF'])('of AES DUKPT that ends in %s opens', async (counter) => {
    const ksn = `${draw.hex(8)}00000029`;
    const text = draw.track2();
    const hex = encrypt(text, {ksn}).toString('hex');
    expect(await outcomeOf(hex, ksn.slice(0, 16) + counter)).toEqual(opened(text, ksn));
  });

  it('that is all F opens under a key that was given', async () => {
    const ksn = 'FFFFFFFFFFFFFFE00015';
    const bdk = draw.key();
    const text = draw.track1();
    const hex = encrypt(text, {ksn, bdk}).toString('hex');
    const found = await outcomeOf(hex, 'F'.repeat(20), [{kind: 'bdk', hex: bdk}]);
    expect(found).toEqual(opened(text, ksn));
  });

  it('of another device opens nothing', async () => {
    const hex = encrypt(draw.track(), {ksn: draw.ksnWith(5)}).toString('hex');
    expect(await outcomeOf(hex, draw.ksnWith(0))).toEqual({
      hex: undefined,
      ksn: undefined,
      labels: expect.arrayContaining(['no-key', 'ksn-counter-zero']),
    });
  });
});

describe('a response variant is among the usual causes', () => {
  const variants = ['data-response', 'mac-response'] as const;
  const ways = variants.flatMap((variant) =>
    [true, false].flatMap((selfEncrypted) =>
      (['tdes', 'aes'] as const).map((algorithm) => ({variant, selfEncrypted, algorithm})),
    ),
  );
  it.each(ways)('$algorithm under $variant, self-encrypted: $selfEncrypted', async (way) => {
    const ksn = draw.ksn();
    const text = draw.track();
    const found = await outcomeOf(encrypt(bytesOf(text), {ksn, ...way}).toString('hex'), ksn);
    expect(found).toEqual(opened(text, ksn, 'variant-response'));
  });
});

function withCounter(ksn: string, counter: bigint): string {
  const device = (BigInt(`0x${ksn}`) >> 21n) << 21n;
  return (device | counter).toString(16).toUpperCase().padStart(20, '0');
}
