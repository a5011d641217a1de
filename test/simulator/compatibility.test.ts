import {createDecipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../src/contract/secret.js';
import {KeyRing} from '../../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../../src/engine/dukpt/ksn.js';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {enhanced, track} from '../engine/families/idtech-frames.js';
import {TEST_BDK} from '../engine/samples.js';
import {simulate, writerOf} from '../writers.js';

/**
 * An AES BDK under the KSNs of 10 bytes of the terminals that were there before it (ANSI
 * X9.24-3:2017, KSN compatibility mode): a TDES format stays TDES, under a 2TDEA working key.
 */
const KSN = '0E111111112222200001';
const BDK = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';
const AES_OPTION = {deviceType: 'generic', mode: 'swiped', options: {algorithm: 'aes'}} as const;

const modes = TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1').flatMap((deviceType) =>
  writerOf(deviceType).modes.map((mode) => ({deviceType, mode})),
);

function ring(bdk: string): KeyRing {
  const secret = new Secret(Buffer.from(bdk, 'hex'));
  return new KeyRing([{kind: 'bdk', algorithm: 'aes', secret, compatibility: true}]);
}

function simulation(over: Partial<Simulation>): Simulation {
  const card = TEST_CARDS.find(({id}) => id === 'visa');
  if (!card) throw new Error('no test card visa');
  return {deviceType: 'generic', mode: 'swiped', card, ksn: KSN, keys: ring(BDK), ...over};
}

describe('an AES BDK with compatibility, KSN of 10 bytes', () => {
  it.each(modes)('$deviceType, $mode: gives back the card that was simulated', (chosen) => {
    const {card, keys, ...rest} = simulation(chosen);
    // Its containers end with a MAC, and no page says how one is made under such a key.
    if (chosen.deviceType === 'magtek' && chosen.mode === 'emv')
      return expect(() => simulate({card, keys, ...rest})).toThrow(
        expect.objectContaining({code: 9001}),
      );
    const request = simulate({card, keys, ...rest});
    expect(processPayload(request, keys).extracted.PAN).toBe(card.pan);
  });

  it.each([BDK + BDK.slice(16), BDK + BDK])('serves a BDK of %s', (bdk) => {
    const {card, keys, ...rest} = simulation({keys: ring(bdk)});
    expect(processPayload(simulate({card, keys, ...rest}), keys).extracted.PAN).toBe(card.pan);
  });

  it('serves a format that is AES itself', () => {
    const {card, keys, ...rest} = simulation(AES_OPTION);
    expect(processPayload(simulate({card, keys, ...rest}), keys).extracted.PAN).toBe(card.pan);
  });

  it('enciphers a TDES format under the 2TDEA key of data encryption', () => {
    const {keys} = simulation({});
    const key = keys.transaction(parseKsn(KSN)).aesWorkingKey('data-encryption', '2tdea');
    expect(openTrack2(simulation({}), 'des-ede-cbc', key)).toMatch(/^;4\d+=\d+\?/);
  });

  // From a Java implementation of AES DUKPT (joyner-perez/aes_dukpt).
  it('enciphers an AES format under the AES-128 key of data encryption', () => {
    const key = Buffer.from('5E9D84DD1B6975FB61D8897ECE1AFB15', 'hex');
    expect(openTrack2(simulation(AES_OPTION), 'aes-128-cbc', key)).toMatch(/^;4\d+=\d+\?/);
  });

  it('skips the MAC of a frame, which has no known key', () => {
    const secret = new Secret(Buffer.from(BDK, 'hex'));
    const keys = new KeyRing([
      {kind: 'bdk', algorithm: 'aes', secret, compatibility: true, ksnPrefix: '0E'},
      {kind: 'bdk', algorithm: 'tdes', secret: new Secret(Buffer.from(TEST_BDK, 'hex'))},
    ]);
    const mac = {ksn: KSN, bytes: Buffer.alloc(32, 1)};
    const track2 = track(';4012888888881881=28012010?');
    const frame = enhanced({tracks: [undefined, track2], optional: Buffer.from([0x20]), mac});
    const found = processPayload({deviceType: 'idtech', devicePayload: frame}, keys);
    expect(found.extracted.PAN).toBe('4012888888881881');
  });
});

/** By node:crypto, zero IV. */
function openTrack2(from: Simulation, cipher: string, key: Uint8Array): string {
  const {devicePayload} = simulate(from);
  const {track2 = ''} = JSON.parse(devicePayload) as {track2?: string};
  const iv = Buffer.alloc(cipher.startsWith('aes') ? 16 : 8);
  const decipher = createDecipheriv(cipher, key, iv).setAutoPadding(false);
  return decipher.update(track2, 'hex', 'latin1');
}
