import {describe, expect, it} from 'vitest';
import {workingKey} from './terminal.js';

// Published answers under the ANSI X9.24 test BDK: ANSI X9.24-1 for the first, sgbj/Dukpt.NET and
// the demo units' manuals for the others.
const PUBLISHED = [
  ['FFFF9876543210E00001', 'none', '042666B49184CFA368DE9628D0397BC9'],
  ['FFFF9876543210E00008', 'pin', '27F66D5244FF621EAA6F6120EDEB427F'],
  ['FFFF9876543211000620', 'data', 'AC2B83C506DEC9D5E27D51E1D70559E7'],
  ['62994901190000000003', 'data', '895250336175515C4120CF45F41ABF1C'],
  ['FFFF987654325800004A', 'data', '8AD252333091E76E3CD6983796EE82A5'],
] as const;

describe('the terminal of the tests', () => {
  for (const [ksn, variant, key] of PUBLISHED) {
    it(`derives the published ${variant} key of ${ksn}`, () => {
      expect(workingKey({ksn, variant}).toString('hex').toUpperCase()).toBe(key);
    });
  }

  // openemv/dukpt, test/dukpt_aes128_test.c, after the X9.24-3 test vectors.
  for (const [ksn, key] of [
    ['123456789012345600000001', 'A35C412EFD41FDB98B69797C02DCD08F'],
    ['123456789012345600000003', 'EF17F6AB45B4820C93A3DCB21BC491AD'],
  ] as const) {
    it(`derives the published AES data encryption key of ${ksn}`, () => {
      expect(workingKey({ksn}).toString('hex').toUpperCase()).toBe(key);
    });
  }
});
