import {describe, expect, it} from 'vitest';
import type {Label} from '../../src/diagnosis/labels.js';
import {IS_LONG, tenthOf} from '../long.js';
import {type CaseJson, diagnoseJson, labelsOf} from './diagnosing.js';
import {Draw} from './draw.js';

/** What no key opens, and what is said of it. */
const KSN = 'FFFF9876543210E00008';
const draw = new Draw('closed data');

interface Closed {
  readonly name: string;
  readonly given: CaseJson;
  readonly label: Label;
}

const CLOSED: readonly Closed[] = [
  {
    name: 'ciphertext under a key set that is private',
    given: {payload: draw.hex(112), ksn: '62994996000000000012'},
    label: 'no-key',
  },
  {
    name: 'AES DUKPT under an unknown key',
    given: {payload: draw.hex(96), ksn: `${draw.hex(8)}00000001`},
    label: 'no-key',
  },
  {
    name: 'ciphertext beside a key of another device',
    given: {payload: draw.hex(80), ksn: KSN, keys: [{kind: 'bdk', hex: draw.key()}]},
    label: 'wrong-key',
  },
  {
    name: 'a PIN block without its PAN',
    given: {payload: draw.hex(8), ksn: KSN},
    label: 'pin-pan-needed',
  },
  {
    name: 'a PIN block with a PAN',
    given: {payload: draw.hex(8), ksn: KSN, pan: '4111111111111111'},
    label: 'no-key',
  },
  {name: 'zeros', given: {payload: '00'.repeat(112), ksn: KSN}, label: 'no-key'},
  {
    name: 'one block over and over',
    given: {payload: draw.hex(8).repeat(14), ksn: KSN},
    label: 'no-key',
  },
  {name: 'stars', given: {payload: '2A'.repeat(112), ksn: KSN}, label: 'masked-part'},
  {
    name: 'a JPEG picture in hex',
    given: {payload: `FFD8FFE000104A46494600010101004800480000${draw.hex(300)}`},
    label: 'other-data',
  },
  {
    name: 'a JSON web token',
    given: {
      payload: `eyJhbGciOiJIUzI1NiJ9.${draw.bytes(60).toString('base64url')}.${draw.bytes(32).toString('base64url')}`,
    },
    label: 'other-data',
  },
  {name: 'an RSA block', given: {payload: draw.bytes(256).toString('base64')}, label: 'other-data'},
  {name: 'a TLS record', given: {payload: `1703030150${draw.hex(0x150)}`}, label: 'other-data'},
  {
    name: 'a certificate',
    given: {
      payload: `-----BEGIN CERTIFICATE-----\n${draw.bytes(300).toString('base64')}\n-----END CERTIFICATE-----`,
    },
    label: 'other-data',
  },
  {
    name: 'a track in clear',
    given: {
      payload:
        '%B4111111111111111^TEST/CARD^25121010000000000000?;4111111111111111=25121010000000000000?',
    },
    label: 'clear-data',
  },
  {
    name: 'a sentence',
    given: {payload: 'The reader sends nothing but this.'},
    label: 'ksn-missing',
  },
  {
    name: 'a key and a KSN without ciphertext',
    given: {ksn: KSN, keys: [{kind: 'bdk', hex: draw.key()}]},
    label: 'wrong-key',
  },
  {
    name: 'a KSN of 23 digits',
    given: {payload: draw.hex(64), ksn: `${KSN}999`},
    label: 'ksn-malformed',
  },
  {
    name: 'bytes that are no whole blocks',
    given: {payload: draw.hex(61), ksn: KSN},
    label: 'length-impossible',
  },
  {
    name: 'a track in clear in the line of a log',
    given: {payload: 'DEBUG read: ;4111111111111111=25121010000000000000? end of read'},
    label: 'clear-data',
  },
  {
    // docs/terminals/ingenico.md: the copies are masked with zeros, then the record states its length.
    name: 'a message of RBA that lost its last block',
    given: {
      payload: `23.0M%B5555550000004444^TEST/CARD^281110100000?\x1c;5555550000004444=281110100000?\x1c${KSN}:4:0240:${draw.hex(112)}`,
    },
    label: 'frame-cut',
  },
  {
    name: 'a MagneSafe string that ends within track 1',
    given: {
      payload: `%B4111000010001111^TEST/CARD^281200000000?;4111000010001111=281200000000?|0600|${draw.hex(40)}`,
    },
    label: 'frame-cut',
  },
];

/** Of these the search goes to its end, as it does for all in a long run. */
const searched = new Set(tenthOf(CLOSED, ({name}) => name));

describe('what cannot be opened', () => {
  it.each(CLOSED.map((one) => [one.name, one] as const))('%s was not decrypted', async (_, one) => {
    const {given, label} = one;
    const found = await diagnoseJson(given, {usualOnly: !searched.has(one)});
    expect({solved: found.solved, labels: labelsOf(found)}).toEqual({
      solved: false,
      labels: expect.arrayContaining([label]),
    });
  });

  it.each(CLOSED.filter(({name}) => /RBA|MagneSafe/.test(name)))(
    'is not called clear for its masked copies: $name',
    async ({given}) => {
      expect(labelsOf(await diagnoseJson(given, {usualOnly: true}))).not.toContain('clear-data');
    },
  );

  it('is not called a frame that was cut, when it was none', async () => {
    const given = {payload: `6F1C${draw.hex(94)}`, ksn: KSN};
    const found = await diagnoseJson(given, {usualOnly: !IS_LONG});
    expect(labelsOf(found)).not.toContain('frame-cut');
  });

  it.each([1, 2, 3, 5, 7])('of %i bytes too few is no frame for beginning with 02', async (few) => {
    const hex = `02${draw.hex(87)}`.slice(0, -2 * few);
    const given = {ciphertexts: [{hex}], ksn: KSN};
    const labels = labelsOf(await diagnoseJson(given, {usualOnly: !IS_LONG}));
    expect(labels).toContain('length-impossible');
    expect(labels).not.toContain('frame-cut');
  });

  it('is given up when the time is over, and says so', async () => {
    const given = {
      payload: draw.hex(112),
      ksn: KSN,
      keys: [{kind: 'bdk', hex: draw.key()}] as const,
    };
    expect(labelsOf(await diagnoseJson(given, {budgetMs: 1}))).toContain('out-of-time');
  });
});
