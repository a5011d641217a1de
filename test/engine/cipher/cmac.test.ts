import {describe, expect, it} from 'vitest';
import {cmac} from '../../../src/engine/cipher/cmac.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {fromHex, toHex} from '../hex.js';

/** NIST SP 800-38B, Appendix D (updated examples): D.1 AES-128, D.3 AES-256, D.4 three-key TDES. */
const MESSAGE =
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
  '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710';
const AES128 = '2b7e151628aed2a6abf7158809cf4f3c';
const AES256 = '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4';
const TDES = '8aa83bf8cbda10620bc1bf19fbb6cd58bc313d4a371ca8b5';

const EXAMPLES = [
  ['aes', AES128, 0, 'BB1D6929E95937287FA37D129B756746'],
  ['aes', AES128, 16, '070A16B46B4D4144F79BDD9DD04A287C'],
  ['aes', AES128, 40, 'DFA66747DE9AE63030CA32611497C827'],
  ['aes', AES128, 64, '51F0BEBF7E3B9D92FC49741779363CFE'],
  ['aes', AES256, 0, '028962F61B7BF89EFC6B551F4667D983'],
  ['aes', AES256, 40, 'AAF3D8F1DE5640C232F5B169B9C911E6'],
  ['tdes', TDES, 0, 'B7A688E122FFAF95'],
  ['tdes', TDES, 8, '8E8F293136283797'],
  ['tdes', TDES, 20, '743DDBE0CE2DC2ED'],
  ['tdes', TDES, 32, '33E6B1092400EAE5'],
] as const;

describe('CMAC', () => {
  it.each(EXAMPLES)(
    '%s, key %s: %i bytes of the NIST message give %s',
    (name, key, length, mac) => {
      const cipher = prepareCipher(name, fromHex(key));
      expect(toHex(cmac(cipher, fromHex(MESSAGE).subarray(0, length)))).toBe(mac);
    },
  );
});
