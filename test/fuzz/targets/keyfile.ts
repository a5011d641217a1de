import {AUTH_METHODS} from '../../../src/contract/auth-method.js';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {openKeyfile} from '../../../src/keyfile/open-keyfile.js';
import {parseKeyfile, serialiseKeyfile} from '../../../src/keyfile/parse-keyfile.js';
import {VECTORS} from '../../auth/auth-fixture.js';
import {ALICE, byIdentity, sampleKeyfile, TEST_IK} from '../../keyfile/sample-keyfile.js';
import {demand, type FuzzTarget} from '../fuzz-target.js';
import {demandSilence, errorOrAsync, kindOf, patternOf, textOf} from './errors.js';
import {SEALED_KEYFILE} from './sealed-keyfile.js';

const KEY = '0123456789ABCDEFFEDCBA9876543210';
const PARTNER_KEY = 'ef1ad938150fb15a1384b883a104ce70';
const SECRETS = patternOf([KEY, TEST_IK, PARTNER_KEY, ALICE.identity]);

const CONTENT = JSON.stringify({
  version: 1,
  created: '2026-01-02T03:04:05Z',
  keys: [
    {name: 'lab', kind: 'bdk', hex: KEY, ksnPrefix: 'FFFF987654'},
    {kind: 'bdk', algorithm: 'aes', hex: KEY + KEY, ksnPrefix: '12345678', compatibility: true},
    {kind: 'ik', hex: TEST_IK, ksnPrefix: 'FFFF9876543210E00000'},
    {name: 'k', kind: 'kbpk', algorithm: 'tdes', hex: KEY},
  ],
  partners: [
    {
      partnerId: 'A',
      partnerKey: PARTNER_KEY,
      sharedKey: KEY,
      encoding: 'hex',
      rsaPublicKey: VECTORS.rsaKeys['test-rsa-2048']?.publicKey,
      methods: AUTH_METHODS,
    },
    {partnerId: 'B', note: [1, {x: null}]},
  ],
  recipients: [ALICE.recipient],
  later: {a: 1},
});

/** The content of a keyfile. */
export const keyfileTarget: FuzzTarget = {
  name: 'keyfile',
  tokens: [
    '"kind":"ik"',
    '"algorithm":"aes"',
    'compatibility',
    '"version":2',
    KEY,
    '__proto__',
    'null',
  ],
  seeds: () => [
    [CONTENT],
    ['{"version":1}'],
    [Buffer.from(serialiseKeyfile(sampleKeyfile())).toString()],
  ],
  run: async ([text = '']) => {
    const read = await errorOrAsync(() => parseKeyfile(Buffer.from(text)));
    if (read instanceof PaylensError) {
      demandSilence(read, SECRETS);
      demand([9012, 9013, 9015].includes(read.code), `a keyfile at fault is not ${read.code}`);
      return {features: [kindOf(read)], answer: textOf(read)};
    }
    const written = Buffer.from(serialiseKeyfile(read)).toString();
    const again = Buffer.from(
      serialiseKeyfile(await parseKeyfile(Buffer.from(written))),
    ).toString();
    demand(written === again, 'what is saved reads the same');
    const shape = written.replaceAll(/"[^"]*"/g, '').replaceAll(/\s|\d/g, '');
    return {features: [`fine ${shape.slice(0, 60)}`], answer: written};
  },
};

/** The age container around it, one character per byte. */
export const keyfileContainerTarget: FuzzTarget = {
  name: 'keyfile-container',
  tokens: [
    '\n',
    '-> X25519 ',
    '-> scrypt AAAA 10\n',
    '---',
    '-> a b\n\n',
    'age-encryption.org/v1\n',
  ],
  seeds: () => [[binaryOf(SEALED_KEYFILE)], [SEALED_KEYFILE], [''], ['age-encryption.org/v1\n']],
  run: async ([text = '']) => {
    const bytes = Buffer.from(text, 'latin1');
    const opened = await errorOrAsync(() => openKeyfile(bytes, byIdentity(ALICE.identity)));
    if (!(opened instanceof PaylensError)) return {features: ['opened'], answer: 'opened'};
    demandSilence(opened, SECRETS);
    return {features: [kindOf(opened)], answer: textOf(opened)};
  },
};

function binaryOf(armored: string): string {
  return Buffer.from(armored.replaceAll(/---.*---/g, ''), 'base64').toString('latin1');
}
