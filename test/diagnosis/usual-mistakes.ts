import {createCipheriv} from 'node:crypto';
import type {Label} from '../../src/diagnosis/labels.js';
import {enhanced, track} from '../engine/families/idtech-frames.js';
import {TEST_BDK} from '../engine/samples.js';
import {bytesOf, type Encryption, encrypt, lrcOf, workingKey} from '../engine/terminal.js';
import {type AesDerivation, aesDukptKey, aesInitialKey, aesTransactionKey} from './aes-dukpt.js';
import type {CaseJson} from './diagnosing.js';
import {type Draw, packNibbles, packSixBit} from './draw.js';

/** A randomly generated case. */
interface Made {
  readonly given: CaseJson;
  /**
   * Expected plaintexts in hex: the complete output of the cipher. Absent: the case must not be
   * solved.
   */
  readonly plain?: readonly string[];
}

/** A generator of cases with one mistake, and the label that must be found. */
export interface Kind {
  readonly row: number;
  readonly name: string;
  readonly label: Label;
  readonly make: (draw: Draw) => Made;
}

const TEST_KEYS = {bdk: TEST_BDK};

/**
 * A case with one ciphertext, encrypted according to `options`; `more` is added to the input of the
 * user.
 */
function one(plain: string | Uint8Array, options: Encryption, more: Partial<CaseJson> = {}): Made {
  const ciphertext = encrypt(plain, options);
  const given: CaseJson = {
    ciphertexts: [{name: 'data', hex: ciphertext.toString('hex')}],
    ksn: options.ksn,
    ...more,
  };
  return {given, plain: [hexOf(plain)]};
}

/** Concatenates texts, each encrypted with its own CBC chain. */
function joined(texts: readonly string[], ksn: string): Made {
  const hex = texts.map((text) => encrypt(text, {ksn}).toString('hex')).join('');
  const plain = texts.map((text) => Buffer.from(padded(text), 'latin1').toString('hex'));
  return {given: {ciphertexts: [{name: 'tracks', hex}], ksn}, plain: [plain.join('')]};
}

/** The plaintext as encrypted, without its padding. */
function hexOf(plain: string | Uint8Array): string {
  return bytesOf(plain).toString('hex');
}

const plainVariants: readonly (readonly [Label, Partial<Encryption>])[] = [
  ['variant-data', {variant: 'data', selfEncrypted: true}],
  ['variant-data-plain', {variant: 'data', selfEncrypted: false}],
  ['variant-pin', {variant: 'pin'}],
  ['variant-none', {variant: 'none'}],
  ['variant-mac', {variant: 'mac'}],
  ['variant-response', {variant: 'data-response', selfEncrypted: true}],
];

/**
 * For every row of the usual mistakes (docs/diagnose-reference.md), ways to draw a case. All ciphertexts are made
 * with node:crypto alone.
 */
export const KINDS: readonly Kind[] = [
  ...plainVariants.map(
    ([label, setting]): Kind => ({
      row: 1,
      name: `data under ${JSON.stringify(setting)}`,
      label,
      make: (draw) => one(draw.track(), {ksn: draw.ksn(), ...TEST_KEYS, ...setting}),
    }),
  ),
  {
    row: 2,
    name: 'a KSN of 8 bytes',
    label: 'ksn-padded',
    make: (draw) => {
      const ksn = draw.ksn();
      return one(draw.track(), {ksn}, {ksn: ksn.slice(4)});
    },
  },
  {
    row: 2,
    name: 'a KSN filled up with zeros',
    label: 'ksn-filler',
    make: (draw) => {
      const ksn = draw.ksn();
      return one(draw.tags(), {ksn}, {ksn: `0000${ksn.slice(4)}`});
    },
  },
  {
    row: 2,
    name: 'a KSN with its filler behind',
    label: 'ksn-filler',
    make: (draw) => {
      const ksn = draw.ksn();
      return one(draw.track(), {ksn}, {ksn: `${ksn.slice(4)}FFFF`});
    },
  },
  {
    row: 2,
    name: 'a KSN of 12 bytes with filler in front',
    label: 'ksn-embedded',
    make: (draw) => {
      const ksn = draw.ksn();
      return one(draw.track(), {ksn}, {ksn: `0000${ksn}`});
    },
  },
  {
    row: 2,
    name: 'a KSN that lost its last digit',
    label: 'ksn-digit-missing',
    make: (draw) => {
      const ksn = draw.ksn();
      return one(draw.track(), {ksn}, {ksn: ksn.slice(0, -1)});
    },
  },
  {
    row: 2,
    name: 'a KSN with one wrong digit in its key set, device or upper counter',
    label: 'ksn-mistyped',
    make: (draw) => {
      const ksn = draw.ksn();
      return underEitherKey(draw, ksn, wrongDigit(ksn, draw.below(16), draw));
    },
  },
  {
    row: 2,
    name: 'a KSN with two neighbouring digits swapped',
    label: 'ksn-mistyped',
    make: (draw) => {
      const places = (hex: string) =>
        [...hex.slice(0, 14)].flatMap((digit, at) => (digit === hex[at + 1] ? [] : [at]));
      const ksn = draw.ksn();
      const at = draw.of(places(ksn));
      const swapped = ksn.slice(0, at) + ksn[at + 1] + ksn[at] + ksn.slice(at + 2);
      return underEitherKey(draw, ksn, swapped);
    },
  },
  {
    row: 2,
    name: 'a KSN of 8 bytes with one wrong digit',
    label: 'ksn-mistyped',
    make: (draw) => {
      const ksn = draw.ksn();
      return underEitherKey(draw, ksn, wrongDigit(ksn, 4 + draw.below(10), draw).slice(4));
    },
  },
  {
    row: 2,
    name: 'a KSN of AES DUKPT with one wrong digit',
    label: 'ksn-mistyped',
    make: (draw) => {
      const ksn = `${draw.hex(8)}000${draw.of(['1', '2', '4'])}${draw.digits(4)}`;
      const bdk = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';
      const made = aesCase(draw, {bdk, ksn, usage: 0x3000});
      return {...made, given: {...made.given, ksn: wrongDigit(ksn, draw.below(18), draw)}};
    },
  },
  {
    row: 2,
    name: 'a KSN that lost a digit inside',
    label: 'ksn-digit-missing',
    make: (draw) => {
      const ksn = draw.ksn();
      const at = 4 + draw.below(15);
      return underEitherKey(draw, ksn, ksn.slice(0, at) + ksn.slice(at + 1));
    },
  },
  {
    row: 2,
    name: 'a KSN with a digit too many inside',
    label: 'ksn-mistyped',
    make: (draw) => {
      const ksn = draw.ksn();
      const at = 1 + draw.below(18);
      const others = [...'0123456789ABCDEF'].filter((c) => c !== ksn[at - 1] && c !== ksn[at]);
      return underEitherKey(draw, ksn, ksn.slice(0, at) + draw.of(others) + ksn.slice(at));
    },
  },
  {
    row: 2,
    name: 'a counter written in decimal',
    label: 'ksn-decimal-counter',
    make: (draw) => {
      const counter = 300 + draw.below(700);
      const ksn = draw.ksnWith(counter);
      const shown = ksn.slice(0, -4) + String(counter).padStart(4, '0');
      return one(draw.track(), {ksn}, {ksn: shown});
    },
  },
  {
    row: 2,
    name: 'a counter with more bits than a terminal sends',
    label: 'ksn-counter-bits',
    make: (draw) => one(draw.track(), {ksn: draw.ksnWith(0xfff00 | draw.below(256))}),
  },
  {
    row: 2,
    name: 'counter 0',
    label: 'ksn-counter-zero',
    make: (draw) => one(draw.track(), {ksn: draw.ksnWith(0)}),
  },
  {
    row: 3,
    name: 'two tracks joined, one chain each',
    label: 'chain-restart',
    make: (draw) => {
      const ksn = draw.ksn();
      return joined([draw.track1(), draw.track2()], ksn);
    },
  },
  {
    row: 3,
    name: 'two tracks joined, of which a block is text without its chain, too',
    label: 'chain-restart',
    make: () => {
      const ksn = 'FFFFA8CF62F51BA00800';
      const texts = [
        '%B4229293038286769^DOE/ERIKA^3105201360022443681?',
        ';4850252728202557=330620152240405?',
      ];
      return joined(texts, ksn);
    },
  },
  {
    row: 3,
    name: 'a ciphertext with its KSN behind',
    label: 'wrong-slice',
    make: (draw) => {
      const ksn = draw.ksn();
      const hex = encrypt(draw.track(), {ksn}).toString('hex') + ksn;
      return {given: {ciphertexts: [{name: 'data', hex}], ksn: undefined}, plain: []};
    },
  },
  {
    row: 3,
    name: 'a ciphertext with other bytes around it',
    label: 'wrong-slice',
    make: (draw) => {
      const ksn = draw.ksn();
      const hex =
        draw.hex(1 + draw.below(20)) + encrypt(draw.track(), {ksn}).toString('hex') + draw.hex(3);
      return {given: {ciphertexts: [{name: 'data', hex}], ksn}, plain: []};
    },
  },
  {
    row: 3,
    name: 'a whole frame given as ciphertext',
    label: 'whole-frame',
    make: (draw) => ({given: {ciphertexts: [{hex: frameOf(draw, 'hex')}]}, plain: []}),
  },
  {
    row: 3,
    name: 'keyboard text that lost its first 0 or last 3',
    label: 'frame-lost-character',
    make: (draw) => {
      const frame = frameOf(draw, 'keyboard');
      const cuts = [frame.slice(1), frame.slice(0, -1), frame.slice(1, -1)];
      return {given: {payload: draw.of(cuts)}, plain: []};
    },
  },
  {
    row: 3,
    name: 'keyboard text that lost a character inside',
    label: 'frame-lost-character',
    make: (draw) => {
      const frame = frameOf(draw, 'keyboard');
      const at = 40 + draw.below(frame.length - 80);
      return {given: {payload: frame.slice(0, at) + frame.slice(at + 1)}, plain: []};
    },
  },
  {
    row: 3,
    name: 'keyboard text with a character too many',
    label: 'frame-added-character',
    make: (draw) => {
      const frame = frameOf(draw, 'keyboard');
      const at = 40 + draw.below(frame.length - 80);
      const more = draw.of(['0', '7', 'A', '*']);
      return {given: {payload: frame.slice(0, at) + more + frame.slice(at)}, plain: []};
    },
  },
  {
    row: 3,
    name: 'hex of a frame that lost a digit',
    label: 'frame-lost-character',
    make: (draw) => {
      const frame = frameOf(draw, 'hex');
      const at = 60 + draw.below(frame.length - 100);
      return {given: {payload: frame.slice(0, at) + frame.slice(at + 1)}, plain: []};
    },
  },
  {
    row: 3,
    name: 'stars that were drawn together in print',
    label: 'frame-lost-character',
    make: (draw) => {
      const frame = frameOf(draw, 'keyboard');
      return {given: {payload: frame.replace(/\*{4}(\*+)/, '$1')}, plain: []};
    },
  },
  {
    row: 3,
    name: 'a masked copy given as ciphertext',
    label: 'masked-part',
    make: (draw) => {
      const text = draw.track2();
      const copy = text.slice(0, 5) + '*'.repeat(text.length - 10) + text.slice(-5);
      return {given: {ciphertexts: [{hex: Buffer.from(copy).toString('hex')}], ksn: draw.ksn()}};
    },
  },
  {
    row: 3,
    name: 'a ciphertext that is no whole blocks',
    label: 'length-impossible',
    make: (draw) => {
      const hex = encrypt(draw.track2(), {ksn: draw.ksn(), bdk: draw.key()}).toString('hex');
      return {given: {ciphertexts: [{hex: hex.slice(0, -2)}], ksn: draw.ksn()}};
    },
  },
  {
    row: 3,
    name: 'a ciphertext with a damaged byte',
    label: 'data-damaged',
    make: (draw) => {
      const made = one(draw.track1(), {ksn: draw.ksn()});
      const hex = made.given.ciphertexts?.[0]?.hex ?? '';
      const at = 2 * (16 + draw.below(20));
      const byte = (Number.parseInt(hex.slice(at, at + 2), 16) ^ 0xa5)
        .toString(16)
        .padStart(2, '0');
      const damaged = hex.slice(0, at) + byte + hex.slice(at + 2);
      return {given: {...made.given, ciphertexts: [{hex: damaged}]}, plain: []};
    },
  },
  {
    row: 4,
    name: 'a session key of the next read beside the test key',
    label: 'key-of-other-read',
    make: (draw) => {
      const ksn = draw.ksnWith(8 + draw.below(1000));
      const next = (BigInt(`0x${ksn}`) + 1n).toString(16).toUpperCase().padStart(20, '0');
      const hex = workingKey({ksn: next}).toString('hex');
      return one(draw.track(), {ksn}, {keys: [{kind: 'working', hex}]});
    },
  },
  {
    row: 4,
    name: 'an initial key whose parity was adjusted',
    label: 'key-parity',
    make: (draw) => {
      const ksn = draw.ksn(2 + draw.below(5));
      const bdk = draw.key();
      const ik = workingKey({ksn: initial(ksn), bdk, variant: 'none'});
      const hex = Buffer.from(ik.map(odd)).toString('hex');
      return one(draw.track(), {ksn, bdk}, {keys: [{kind: 'ik', hex}]});
    },
  },
  {
    row: 4,
    name: 'the halves of the BDK swapped',
    label: 'key-halves',
    make: (draw) => {
      const bdk = draw.key();
      const hex = bdk.slice(16) + bdk.slice(0, 16);
      return one(draw.track(), {ksn: draw.ksn(), bdk}, {keys: [{kind: 'bdk', hex}]});
    },
  },
  {
    row: 4,
    name: 'an initial key given as BDK',
    label: 'key-is-ik',
    make: (draw) => {
      const bdk = draw.key();
      const ksn = draw.ksn();
      const ik = workingKey({ksn: initial(ksn), bdk, variant: 'none'}).toString('hex');
      return one(draw.track(), {ksn, bdk}, {keys: [{kind: 'bdk', hex: ik}]});
    },
  },
  {
    row: 4,
    name: 'a transaction key given as BDK',
    label: 'key-is-transaction-key',
    make: (draw) => {
      const bdk = draw.key();
      const ksn = draw.ksn();
      const key = workingKey({ksn, bdk, variant: 'none'}).toString('hex');
      return one(draw.track(), {ksn, bdk}, {keys: [{kind: 'bdk', hex: key}]});
    },
  },
  {
    row: 4,
    name: 'a working key given as initial key',
    label: 'key-is-working-key',
    make: (draw) => {
      const bdk = draw.key();
      const ksn = draw.ksn();
      const key = workingKey({ksn, bdk}).toString('hex');
      return one(draw.track(), {ksn, bdk}, {keys: [{kind: 'ik', hex: key}]});
    },
  },
  {
    row: 4,
    name: 'a BDK with one wrong digit',
    label: 'key-mistyped',
    make: (draw) => {
      const bdk = draw.key();
      const ksn = draw.ksn();
      return one(draw.track(), {ksn, bdk}, {keys: [{kind: 'bdk', hex: mistyped(bdk, draw)}]});
    },
  },
  {
    row: 4,
    name: 'a published key mistyped at injection',
    label: 'key-mistyped',
    make: (draw) => one(draw.track(), {ksn: draw.ksn(), bdk: mistyped(TEST_BDK, draw)}),
  },
  {
    row: 4,
    name: 'a BDK with a digit missing',
    label: 'key-digit-count',
    make: (draw) => {
      const bdk = draw.key();
      const at = draw.below(32);
      const hex = bdk.slice(0, at) + bdk.slice(at + 1);
      return one(draw.track(), {ksn: draw.ksn(), bdk}, {keys: [{kind: 'bdk', hex}]});
    },
  },
  {
    row: 5,
    name: 'nothing but the published test key',
    label: 'test-key',
    make: (draw) => one(draw.track(), {ksn: draw.ksn()}),
  },
  {
    row: 5,
    name: 'components of the BDK',
    label: 'components-combined',
    make: (draw) => {
      const parts = Array.from({length: 2 + draw.below(4)}, () => draw.bytes(16));
      const bdk = parts.reduce((a, b) => Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0))));
      const keys = parts.map((part) => ({kind: 'component' as const, hex: part.toString('hex')}));
      return one(draw.track(), {ksn: draw.ksn(), bdk: bdk.toString('hex')}, {keys});
    },
  },
  {
    row: 5,
    name: 'no key at all',
    label: 'no-key',
    make: (draw) => ({given: one(draw.track(), {ksn: draw.ksn(), bdk: draw.key()}).given}),
  },
  {
    row: 5,
    name: 'a single component',
    label: 'component-missing',
    make: (draw) => {
      const keys = [{kind: 'component' as const, hex: draw.key()}];
      return {given: one(draw.track(), {ksn: draw.ksn(), bdk: draw.key()}, {keys}).given};
    },
  },
  {
    row: 6,
    name: 'ECB',
    label: 'mode-ecb',
    make: (draw) => one(draw.track(), {ksn: draw.ksn(), mode: 'ecb'}),
  },
  {
    row: 6,
    name: 'an IV that stands in front of the ciphertext',
    label: 'iv-hidden',
    make: (draw) => {
      const iv = draw.hex(8);
      const ksn = draw.ksn();
      const text = draw.track();
      const hex = iv + encrypt(text, {ksn, iv}).toString('hex');
      return {
        given: {ciphertexts: [{name: 'data', hex}], ksn},
        plain: [Buffer.from(text, 'latin1').toString('hex')],
      };
    },
  },
  {
    row: 6,
    name: 'an IV that nobody gave',
    label: 'iv-missing',
    make: (draw) => {
      const made = one(draw.track(), {ksn: draw.ksn(), iv: draw.hex(8)});
      return {given: made.given, plain: [(made.plain?.[0] ?? '').slice(16)]};
    },
  },
  {
    row: 6,
    name: 'an IV that is not used',
    label: 'iv-not-used',
    make: (draw) => one(draw.track(), {ksn: draw.ksn()}, {iv: draw.hex(8)}),
  },
  {
    row: 7,
    name: 'track 2 in nibbles',
    label: 'packing-4bit',
    make: (draw) => {
      const text = draw.track2();
      return one(packNibbles(text + lrcOf(text)), {ksn: draw.ksn()});
    },
  },
  {
    row: 7,
    name: 'track 1 in six bits',
    label: 'packing-6bit',
    make: (draw) => {
      const text = draw.track1();
      return one(packSixBit(text + lrcOf(text)), {
        ksn: draw.ksn(),
        selfEncrypted: false,
        mode: 'ecb',
      });
    },
  },
  {
    row: 7,
    name: 'a TLV list with PKCS#7 padding',
    label: 'packing-tlv',
    make: (draw) => one(draw.tags(), {ksn: draw.ksn(), fill: 'pkcs7'}),
  },
  {
    row: 7,
    name: 'counted padding after a track',
    label: 'padding-counted',
    make: (draw) =>
      one(draw.track(), {ksn: draw.ksn(), fill: draw.of(['pkcs7', 'iso7816', 'x923'])}),
  },
  {
    row: 7,
    name: 'a track 2 equivalent without its tag',
    label: 'packing-bcd',
    make: (draw) => {
      const digits = `${draw.pan()}D${draw.expiry()}201${draw.digits(11)}F`;
      return one(Buffer.from(digits.slice(0, 2 * Math.floor(digits.length / 2)), 'hex'), {
        ksn: draw.ksn(),
        fill: 'pkcs7',
      });
    },
  },
  {
    row: 7,
    name: 'a hand-keyed card',
    label: 'hand-keyed',
    make: (draw) =>
      one(`%M${draw.pan()}^MANUAL ENTRY/^${draw.expiry()}${'0'.repeat(14)}?`, {ksn: draw.ksn()}),
  },
  {
    row: 8,
    name: 'a PIN block of format 0',
    label: 'pin-block',
    make: (draw) => pinCase(draw, (pan) => pan.slice(-13, -1)),
  },
  {
    row: 8,
    name: 'a PIN block made with the check digit of the PAN',
    label: 'pin-pan-digits',
    make: (draw) => pinCase(draw, (pan) => pan.slice(-12)),
  },
  {
    row: 8,
    name: 'a PIN block made with the first digits of the PAN',
    label: 'pin-pan-digits',
    make: (draw) => pinCase(draw, (pan) => pan.slice(0, 12)),
  },
  {
    row: 8,
    name: 'a PIN block without PAN',
    label: 'pin-no-pan',
    make: (draw) => {
      const made = pinCase(draw, () => '0'.repeat(12));
      const {pan: _, ...given} = made.given;
      return {...made, given};
    },
  },
  {
    row: 8,
    name: 'a PIN block under the transaction key',
    label: 'pin-transaction-key',
    make: (draw) => pinCase(draw, (pan) => pan.slice(-13, -1), {variant: 'none'}),
  },
  {
    row: 8,
    name: 'a PIN block of format 4 under AES DUKPT',
    label: 'pin-format-4',
    make: (draw) => pin4Case(draw),
  },
  {
    row: 9,
    name: 'a frame with a wrong LRC or checksum',
    label: 'frame-damaged',
    make: (draw) => {
      const frame = frameOf(draw, 'hex');
      const at = frame.length - draw.of([6, 4]);
      const byte = (Number.parseInt(frame.slice(at, at + 2), 16) ^ 0x11).toString(16);
      const payload =
        frame.slice(0, at) + byte.padStart(2, '0').toUpperCase() + frame.slice(at + 2);
      return {given: {payload}, plain: []};
    },
  },
  {
    row: 9,
    name: 'an intact frame',
    label: 'frame-intact',
    make: (draw) => ({given: {payload: frameOf(draw, 'keyboard')}, plain: []}),
  },
  {
    row: 9,
    name: 'keyboard text in lower case',
    label: 'frame-lower-case',
    make: (draw) => {
      let frame = frameOf(draw, 'keyboard');
      // Eight letters, or a multiple, leave LRC and checksum unchanged.
      while (lettersOf(frame) % 8 === 0) frame = frameOf(draw, 'keyboard');
      return {given: {payload: frame.toLowerCase()}, plain: []};
    },
  },
  {
    row: 9,
    name: 'a frame cut short',
    label: 'frame-cut',
    make: (draw) => {
      const frame = frameOf(draw, 'hex', draw.key());
      return {given: {payload: frame.slice(0, 2 * (30 + draw.below(20)))}};
    },
  },
  {
    row: 9,
    name: 'a frame cut short inside a byte',
    label: 'frame-cut',
    make: (draw) => {
      const frame = frameOf(draw, 'hex', draw.key());
      return {given: {payload: frame.slice(0, 2 * (30 + draw.below(20)) + 1)}};
    },
  },
  {
    row: 10,
    name: 'an initial key derived from hex digits as text',
    label: 'hex-as-text',
    make: (draw) => {
      const ksn = draw.ksn();
      const key = Buffer.from(TEST_BDK).subarray(0, draw.of([16, 24]));
      const hex = initialKey(key, Buffer.from(initial(ksn).slice(0, 16), 'hex'), false);
      return one(draw.track(), {ksn}, {keys: [{kind: 'ik', hex}]});
    },
  },
  {
    row: 10,
    name: 'an initial key derived with padding inside',
    label: 'padding-in-derivation',
    make: (draw) => {
      const ksn = draw.ksn();
      const serial = Buffer.from(initial(ksn).slice(0, 16), 'hex');
      const hex = initialKey(Buffer.from(TEST_BDK, 'hex'), serial, true);
      return one(draw.track(), {ksn}, {keys: [{kind: 'ik', hex: hex.slice(0, draw.of([32, 64]))}]});
    },
  },
  {
    row: 10,
    name: 'hex of hex',
    label: 'hex-of-hex',
    make: (draw) => {
      const ksn = draw.ksn();
      const hex = encrypt(draw.track(), {ksn}).toString('hex').toUpperCase();
      return {given: {ciphertexts: [{hex: Buffer.from(hex).toString('hex')}], ksn}, plain: []};
    },
  },
  {
    row: 10,
    name: 'base64',
    label: 'base64',
    make: (draw) => {
      const ksn = draw.ksn();
      return {given: {payload: encrypt(draw.track(), {ksn}).toString('base64'), ksn}, plain: []};
    },
  },
  {
    row: 10,
    name: 'blanks and line ends between the digits',
    label: 'white-space',
    make: (draw) => {
      const ksn = draw.ksn();
      const hex = encrypt(draw.track(), {ksn}).toString('hex');
      const gap = draw.of([' ', ':', '-', '\n', ', ', ' 0x']);
      return {given: {payload: (hex.match(/../g) ?? []).join(gap), ksn}, plain: []};
    },
  },
  {
    row: 10,
    name: 'a first or last digit lost',
    label: 'odd-hex',
    make: (draw) => {
      const ksn = draw.ksn();
      const hex = encrypt(draw.track(), {ksn}).toString('hex');
      const cut = draw.below(2) === 0 ? hex.slice(1) : hex.slice(0, -1);
      return {given: {ciphertexts: [{hex: cut}], ksn}, plain: []};
    },
  },
  {
    row: 10,
    name: 'a hex digit lost inside',
    label: 'odd-hex',
    make: (draw) => {
      const ksn = draw.ksn();
      const text = draw.track();
      const hex = encrypt(text, {ksn}).toString('hex');
      const at = 1 + draw.below(hex.length - 2);
      const given = {ciphertexts: [{hex: hex.slice(0, at) + hex.slice(at + 1)}], ksn};
      return {given, plain: [bytesOf(text).toString('hex')]};
    },
  },
  {
    row: 2,
    name: 'no KSN, but that of a published example',
    label: 'ksn-missing',
    make: (draw) => {
      const ksn = `FFFF9876543210E000${draw.of(['01', '04', '08', '10', '1F'])}`;
      const made = one(draw.track(), {ksn});
      return {...made, given: {...made.given, ksn: undefined}};
    },
  },
  {
    row: 2,
    name: 'no KSN, and a ciphertext that holds digits like one',
    label: 'ksn-missing',
    make: (draw) => {
      const ksn = 'FFFF9876543210E00008';
      let made = one(draw.track(), {ksn});
      while (!/028[2-4][0-9a-f]{16}/.test(made.given.ciphertexts?.[0]?.hex ?? '')) {
        made = one(draw.track(), {ksn});
      }
      return {...made, given: {...made.given, ksn: undefined}};
    },
  },
  {
    row: 2,
    name: 'no KSN at all',
    label: 'ksn-missing',
    make: (draw) => {
      const made = one(draw.track(), {ksn: draw.ksn()});
      return {given: {...made.given, ksn: undefined}};
    },
  },
  {
    row: 4,
    name: 'a BDK with two neighbouring digits swapped',
    label: 'key-mistyped',
    make: (draw) => {
      let bdk = draw.key();
      let at = draw.below(31);
      while (!differInKeyBits(bdk, at)) {
        bdk = draw.key();
        at = draw.below(31);
      }
      const hex = bdk.slice(0, at) + bdk.charAt(at + 1) + bdk.charAt(at) + bdk.slice(at + 2);
      return one(draw.track(), {ksn: draw.ksn(), bdk}, {keys: [{kind: 'bdk', hex}]});
    },
  },
  {
    row: 13,
    name: 'an AES DUKPT derivation key given as session key',
    label: 'key-is-transaction-key',
    make: (draw) => {
      const ksn = `${draw.hex(8)}00010000`;
      const bdk = draw.key();
      const hex = aesTransactionKey({bdk, ksn, usage: 0x8000}).toString('hex');
      return aesCase(draw, {bdk, ksn, usage: 0x3000}, [{kind: 'working', hex}]);
    },
  },
  {
    row: 13,
    name: 'an AES initial key given as BDK',
    label: 'key-is-ik',
    make: (draw) => {
      const ksn = `${draw.hex(8)}0000${draw.digits(3)}1`;
      const bdk = draw.key();
      const initialOnly = {bdk, ksn: `${ksn.slice(0, 16)}00000000`, usage: 0x8001};
      const hex = aesInitialKey(initialOnly).toString('hex');
      return aesCase(draw, {bdk, ksn, usage: 0x3000}, [{kind: 'bdk', hex}]);
    },
  },
  {
    row: 11,
    name: 'the KSN of a neighbouring read',
    label: 'ksn-neighbour',
    make: (draw) => {
      const counter = 100 + draw.below(900);
      const ksn = draw.ksnWith(counter);
      const distance = (1 + draw.below(64)) * draw.of([1, -1]);
      const other = (BigInt(`0x${ksn}`) + BigInt(distance)).toString(16).toUpperCase();
      return one(draw.track(), {ksn}, {ksn: other.padStart(20, '0')});
    },
  },
  {
    row: 11,
    name: 'the KSN of another key of the device',
    label: 'ksn-swapped',
    make: (draw) => {
      const rest = `${draw.hex(5)}E00${draw.digits(3)}`;
      const ksn = `0282${rest}`;
      return one(draw.track(), {ksn}, {ksn: `${draw.of(['0283', '0284'])}${rest}`});
    },
  },
  {
    row: 12,
    name: 'a stripe, on which no CVV2 is',
    label: 'cvv2-not-on-stripe',
    make: (draw) => one(draw.track2(), {ksn: draw.ksn()}),
  },
  {
    row: 13,
    name: 'AES-128 under the TDES DUKPT key',
    label: 'aes-under-tdes',
    make: (draw) => one(draw.track(), {ksn: draw.ksn(), algorithm: 'aes'}),
  },
  {
    row: 13,
    name: 'AES DUKPT with any usage',
    label: 'aes-dukpt',
    make: (draw) => {
      const ksn = `${draw.hex(8)}000${draw.of(['1', '2', '4'])}${draw.digits(4)}`;
      const bdk = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';
      return aesCase(draw, {bdk, ksn, usage: draw.of([0x3000, 0x3001, 0x3002])});
    },
  },
];

/** A swipe frame as an ID TECH reader sends it. */
function frameOf(draw: Draw, form: 'hex' | 'keyboard', bdk: string = TEST_BDK): string {
  const tracks = [track(draw.track1()), track(draw.track2())];
  return enhanced({tracks, form, ksn: draw.ksn(), setting: {bdk}});
}

function lettersOf(frame: string): number {
  return frame.slice(6, -6).replaceAll(/[^A-Z]/g, '').length;
}

/** The initial key of ANSI X9.24-1, A.6, as derived with the bugs of some programs. */
function initialKey(key: Buffer, serial: Buffer, padding: boolean): string {
  const mask = Buffer.from('C0C0C0C000000000'.repeat(3), 'hex');
  const masked = Buffer.from(key.map((byte, i) => byte ^ (mask[i] ?? 0)));
  const half = (one: Buffer) => {
    const whole = one.length === 16 ? Buffer.concat([one, one.subarray(0, 8)]) : one;
    const cipher = createCipheriv('des-ede3', whole, null).setAutoPadding(padding);
    return Buffer.concat([cipher.update(serial), cipher.final()]);
  };
  return Buffer.concat([half(key), half(masked)]).toString('hex');
}

/** The byte adjusted to odd parity. */
function odd(byte: number): number {
  const ones = [...(byte >> 1).toString(2)].filter((bit) => bit === '1').length;
  return (byte & 0xfe) | (ones % 2 === 0 ? 1 : 0);
}

function padded(text: string): string {
  return text.padEnd(Math.ceil(text.length / 8) * 8, '\0');
}

function initial(ksn: string): string {
  return (BigInt(`0x${ksn}`) & ~0x1fffffn).toString(16).toUpperCase().padStart(20, '0');
}

/** A track under the test BDK or a given one, with a KSN that is slightly wrong. */
function underEitherKey(draw: Draw, ksn: string, wrong: string): Made {
  if (draw.below(2) === 0) return one(draw.track(), {ksn}, {ksn: wrong});
  const bdk = draw.key();
  const keys = [{kind: draw.of(['bdk', 'unknown'] as const), hex: bdk}];
  return one(draw.track(), {ksn, bdk}, {ksn: wrong, keys});
}

function wrongDigit(hex: string, at: number, draw: Draw): string {
  const digit = (Number.parseInt(hex.charAt(at), 16) ^ (1 + draw.below(15))).toString(16);
  return hex.slice(0, at) + digit.toUpperCase() + hex.slice(at + 1);
}

/** Another digit at one position, chosen so that more than a parity bit changes. */
function mistyped(key: string, draw: Draw): string {
  const at = draw.below(32);
  const old = Number.parseInt(key.charAt(at), 16);
  const flip = draw.of(at % 2 === 0 ? [1, 2, 4, 8, 5, 15] : [2, 4, 8, 6, 14]);
  return key.slice(0, at) + (old ^ flip).toString(16).toUpperCase() + key.slice(at + 1);
}

function pinCase(
  draw: Draw,
  digits: (pan: string) => string,
  setting: Partial<Encryption> = {variant: 'pin'},
): Made {
  const pan = draw.pan(draw.of([15, 16, 19]));
  const pin = draw.digits(4 + draw.below(3));
  const clear = `0${pin.length}${pin}`.padEnd(16, 'F');
  const block = BigInt(`0x${clear}`) ^ BigInt(`0x${digits(pan).padStart(16, '0')}`);
  const plain = Buffer.from(block.toString(16).padStart(16, '0'), 'hex');
  return one(plain, {ksn: draw.ksn(), mode: 'ecb', fill: 'none', ...setting}, {pan});
}

function pin4Case(draw: Draw): Made {
  const pan = draw.pan();
  const pin = draw.digits(4 + draw.below(3));
  const ksn = `${draw.hex(8)}0000${draw.digits(4)}`.replace(/0000$/, '0001');
  const key = aesDukptKey({bdk: 'FEDCBA9876543210F1F1F1F1F1F1F1F1', ksn, usage: 0x1000});
  const ecb = (block: Buffer) => {
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]);
  };
  const field = Buffer.from(`4${pin.length}${pin}`.padEnd(16, 'A') + draw.hex(8), 'hex');
  const panField = Buffer.from(`${(pan.length - 12).toString(16)}${pan}`.padEnd(32, '0'), 'hex');
  const first = ecb(field);
  const hex = ecb(Buffer.from(first.map((byte, i) => byte ^ (panField[i] ?? 0)))).toString('hex');
  return {given: {ciphertexts: [{hex}], ksn, pan}, plain: []};
}

/** A track 1 under an AES DUKPT key. */
function aesCase(draw: Draw, derivation: AesDerivation, keys?: CaseJson['keys']): Made {
  const text = draw.track1();
  const plain = Buffer.from(text.padEnd(Math.ceil(text.length / 16) * 16, '\0'), 'latin1');
  const key = aesDukptKey(derivation);
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  const hex = Buffer.concat([cipher.update(plain), cipher.final()]).toString('hex');
  const given = {ciphertexts: [{hex}], ksn: derivation.ksn, ...(keys ? {keys} : {})};
  return {given, plain: [plain.toString('hex')]};
}

/** True if swapping the digit at \`at\` with the next changes more than a parity bit. */
function differInKeyBits(key: string, at: number): boolean {
  const digits = [at, at + 1].map((i) => Number.parseInt(key.charAt(i), 16));
  const change = (digits[0] ?? 0) ^ (digits[1] ?? 0);
  return change > 1;
}
