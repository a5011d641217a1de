import {PaylensError} from '../../contract/paylens-error.js';
import {bytesOfHex} from '../../platform/bytes.js';
import {proveAes} from '../cipher/aes-self-test.js';
import {toWords} from '../cipher/words.js';
import {prepareAesKey} from './aes.js';
import {AesTransactionKey} from './aes-transaction-key.js';
import {parseKsn} from './ksn.js';
import {TdesTransactionKey} from './tdes-transaction-key.js';

/** The public test BDK of ANSI X9.24-3; the AES-256 test BDK is this one twice. */
const AES_TEST_BDK = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';

/** Data encryption keys from the X9.24-3:2017 supplement, as long as the BDK; first two words. */
const AES_DUKPT_VECTORS = [
  {times: 1, ksn: '123456789012345600845FED', key: [0xb1e4d900, 0x6a87dd08]},
  {times: 1, ksn: '1234567890123456FFFF0000', key: [0x08878bfc, 0xc45ca5ae]},
  {times: 2, ksn: '123456789012345600000007', key: [0x69bc5c9a, 0xfb2c93cc]},
] as const;

let isAesDukptProven = false;

/** Checks the derivation against known keys, once; throws 1 if one of them differs. */
export function proveAesDukpt(): void {
  if (isAesDukptProven) return;
  proveAes();
  if (!AES_DUKPT_VECTORS.every(holdsAesVector))
    throw new PaylensError(1, 'AES DUKPT failed its self-test');
  isAesDukptProven = true;
}

function holdsAesVector({times, ksn, key}: (typeof AES_DUKPT_VECTORS)[number]): boolean {
  const root = prepareAesKey(bytesOfHex(AES_TEST_BDK.repeat(times)));
  const type = times === 1 ? 'aes128' : 'aes256';
  const found = new AesTransactionKey(root, parseKsn(ksn)).aesWorkingKey('data-encryption', type);
  return key.every((word, i) => toWords(found)[i] === (word | 0));
}

/** The public test BDK of ANSI X9.24-1, big-endian words. */
const TDES_TEST_BDK = [0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210];

/** Published data keys under it, of KSNs with several counter bits, big-endian words. */
const TDES_DUKPT_VECTORS = [
  // ID TECH, SecureMag user manual.
  {ksn: '62994901190000000003', key: [0x89525033, 0x6175515c, 0x4120cf45, 0xf41abf1c]},
  // Verifone VIPA capture.
  {ksn: 'FFFF9876543211000620', key: [0xac2b83c5, 0x06dec9d5, 0xe27d51e1, 0xd70559e7]},
  // BBPOS WisePad demonstration.
  {ksn: '02820620140175E0001D', key: [0xeb53cf69, 0xe50df8fc, 0x28daf6a7, 0x46e18906]},
];

let isTdesDukptProven = false;

/** Checks the derivation against known keys, once; throws 1 if one of them differs. */
export function proveTdesDukpt(): void {
  if (isTdesDukptProven) return;
  if (!TDES_DUKPT_VECTORS.every(holdsTdesVector))
    throw new PaylensError(1, 'TDES DUKPT failed its self-test');
  isTdesDukptProven = true;
}

function holdsTdesVector({ksn, key}: (typeof TDES_DUKPT_VECTORS)[number]): boolean {
  const root = {kind: 'bdk', words: Int32Array.from(TDES_TEST_BDK)} as const;
  const found = new TdesTransactionKey(root, parseKsn(ksn)).workingKey('data', true);
  return toWords(found).every((word, i) => word === (key[i]! | 0));
}
