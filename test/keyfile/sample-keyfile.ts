import {Secret} from '../../src/contract/secret.js';
import type {KeyfileEncryption} from '../../src/keyfile/encrypt-keyfile.js';
import {emptyKeyfile, type Keyfile} from '../../src/keyfile/keyfile.js';
import {keyEntryFrom} from '../../src/keyfile/keys/key-entry.js';
import type {Unlock} from '../../src/keyfile/open-keyfile.js';

/** The BDK and initial key printed in ANSI X9.24-1:2009, Annex A. */
export const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';
export const TEST_IK = '6AC292FAA1315B4D858AB3A3D7D5933A';

export const PASSPHRASE = 'correct horse battery staple';

/** X25519 key pairs generated with `age-keygen` 1.1.1 for these tests. */
export const ALICE = {
  identity: 'AGE-SECRET-KEY-1Y59S3TMAHU3A87ESM0W9C5UE6HDPAHQJ7XN482D0HS05538L6DWS5AAVLJ',
  recipient: 'age1cu3y68hsvqzdsna43ftf7mf539d99t2m9yhnync2up7g0ysw9fms4xwzyx',
};
export const BOB = {
  identity: 'AGE-SECRET-KEY-1W4CWTJ4LR02TJ9NPEFGK5TT40TH2MRLH92FK6RCRS6UNRJVGC5VQF35TCJ',
  recipient: 'age1xtlxhuydxvyrfdzmy8t8va0n6jwzjk42zqfh0pewydx52nxyndvq24c8aa',
};

export function sampleKeyfile(): Keyfile {
  const bdk = {name: 'test', kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF987654'} as const;
  return {...emptyKeyfile('2026-01-02T03:04:05Z'), keys: [keyEntryFrom(bdk, 'keys[0]')]};
}

/** Passphrase encryption with the lowest work factor, for speed. */
export function passphraseEncryption(passphrase = PASSPHRASE, workFactor = 10): KeyfileEncryption {
  return {kind: 'passphrase', passphrase: secretOf(passphrase), workFactor};
}

export function recipientEncryption(...recipients: string[]): KeyfileEncryption {
  return {kind: 'recipients', recipients};
}

export function byPassphrase(passphrase = PASSPHRASE): Unlock {
  return {identities: [], passphrase: async () => secretOf(passphrase)};
}

export function byIdentity(...identities: string[]): Unlock {
  const passphrase = () => Promise.reject(new Error('no passphrase was expected to be asked for'));
  return {identities, passphrase};
}

function secretOf(text: string): Secret {
  return new Secret(new TextEncoder().encode(text));
}
