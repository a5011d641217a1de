import type {GivenKey} from '../../input/case.js';
import {bytesOfHex} from '../../platform/bytes.js';

/** Published keys, which are always tried. */
const PUBLISHED = [
  {kind: 'bdk', name: 'published test BDK (ANSI X9.24-1)', hex: '0123456789ABCDEFFEDCBA9876543210'},
  {
    kind: 'bdk',
    scheme: 'aes',
    name: 'published test BDK (ANSI X9.24-3)',
    hex: 'FEDCBA9876543210F1F1F1F1F1F1F1F1',
  },
  {
    kind: 'ik',
    name: 'published initial key of Prima M demo units',
    hex: '82DF8AC0229162AF040CF4D076437279',
  },
  {
    kind: 'bdk',
    name: 'published test BDK of the nexo specification (SpecV1TestKey)',
    hex: '37233E890B0104E9BC943D0E45EAE5A7',
  },
  {
    kind: 'bdk',
    name: 'published test BDK of an open library for X9.24-1:2004',
    hex: 'BDBD1234BDBD567890ABBDBDCDEFBDBD',
  },
  {
    kind: 'bdk',
    scheme: 'aes',
    name: 'published AES-256 test BDK (ANSI X9.24-3)',
    hex: 'FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1',
  },
] as const;

/** The published test keys for a search. */
export function publishedKeys(): GivenKey[] {
  return PUBLISHED.map(({name, hex, ...key}) => ({
    ...key,
    bytes: bytesOfHex(hex),
    source: name,
    origin: 'published',
  }));
}

/** Trivial keys that people use in examples; tried late. */
export function simpleKeys(): GivenKey[] {
  const digits = [...'0123456789ABCDEF'].map((digit) => digit.repeat(32));
  const others = [
    '0123456789ABCDEF0123456789ABCDEF',
    '0123456789ABCDEF1032547698BADCFE',
    '1234567890ABCDEF1234567890ABCDEF',
    '00112233445566778899AABBCCDDEEFF',
    '000102030405060708090A0B0C0D0E0F',
    '11111111111111112222222222222222',
    '12345678901234567890123456789012',
    'A1B2C3D4E5F60718293A4B5C6D7E8F90',
    '404142434445464748494A4B4C4D4E4F',
  ];
  return [...others, ...digits].map((hex) => ({
    kind: 'bdk',
    bytes: bytesOfHex(hex),
    source: 'simple example key',
    origin: 'published',
  }));
}
