import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {tenthOf} from '../long.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';

/** The shared samples, each solved from the payload alone: no key is given but working keys. */
interface Sample {
  readonly id: string;
  readonly keys?: readonly {readonly kind: string; readonly hex: string}[];
  readonly request: {
    readonly devicePayload?: string;
    readonly ciphertext?: string;
    readonly ksn?: string;
    readonly iv?: string;
  };
  readonly expect: {
    readonly errCode?: number;
    readonly pan?: string;
    readonly plaintext?: Readonly<Record<string, string | {readonly hex: string}>>;
    readonly response?: Readonly<Record<string, unknown>>;
  };
}

const folder = new URL('../samples/', import.meta.url);
const samples: Sample[] = readdirSync(folder).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
);

/** Bytes in clear in front of the blocks are not decrypted; two blocks of track 2 prove too little. */
const IN_CLEAR: Readonly<Record<string, number>> = {
  'abecs-gtk-published': 1,
  'abecs-gtk-10-open': 9,
};

const opens = samples.filter(({expect: {response, plaintext}}) => response ?? plaintext);
/** Wrong in one thing that a diagnosis finds, and then opens. */
const REPAIRED: Readonly<Record<string, string>> = {
  'generic-no-iv-0637': 'iv-missing',
  'generic-no-iv-0ab0': 'iv-missing',
  'neg-generic-iv-odd': 'iv-missing',
  'neg-verifone-iv-7': 'iv-missing',
  'neg-idtech-lrc': 'payload-mistyped',
  'neg-idtech-vivo-crc': 'frame-damaged',
  'neg-rba-lrc': 'frame-damaged',
  'neg-verifone-lrc': 'frame-damaged',
  'neg-idtech-kb-lowercase': 'frame-lower-case',
  'neg-idtech-ksn-differs': 'ksn-neighbour',
  'neg-wisepad2-ksn-differs': 'ksn-neighbour',
  'neg-prima-hash': 'masked-copy-differs',
  'wn-wisepad-emv-synthetic-ffpad': 'masked-copy-differs',
  'neg-dspread-mask': 'masked-copy-differs',
  // Wrong for a service, not for a diagnosis: another key ring, another serial.
  'neg-idtech-wrong-key': 'decrypts-plainly',
  'neg-idtech-serial': 'decrypts-plainly',
  'neg-magtek-v5-wrong-bdk': 'decrypts-plainly',
  'neg-magtek-arqc-wrong-bdk': 'decrypts-plainly',
  'neg-magtek-arqc-mac': 'variant-data',
  'neg-magtek-v5-damaged': 'payload-mistyped',
  'neg-magtek-v5-odd-block': 'part-missing',
  'neg-magtek-v5-ksn-contradicts': 'ksn-neighbour',
  // Its selectable data, as published; the key of the rest is private.
  'magtek-dynaflex-ff42-aes': 'aes-dukpt',
  'neg-ifsf-wrong-key': 'variant-data',
  'neg-nexo-wrong-key': 'decrypts-plainly',
  'neg-ifsf-cut': 'wrong-slice',
  'neg-ifsf-two-cards': 'variant-data',
  'neg-nexo-iv': 'variant-data',
  'neg-bbpos-wrong-key': 'decrypts-plainly',
  'neg-poynt-two-reads': 'variant-data',
  'neg-poynt-other-digits': 'variant-data',
  'neg-poynt-two-ksns': 'variant-data',
  'neg-spire-masked': 'variant-data',
  // Decrypt takes no document type; the document below it is whole.
  'neg-nexo-doctype': 'text-around',
};
const stays = samples.filter(
  (sample) => !opens.includes(sample) && REPAIRED[sample.id] === undefined,
);

/** Their searches go to the end, and take longer than all others together. */
const searched = tenthOf(stays, ({id}) => `${id} stays closed`);

/** Nothing leads to a key that no KSN derives, so it is given. */
function workingKeysOf({keys = []}: Sample) {
  return keys.flatMap(({kind, hex}) =>
    kind === 'working' ? [{kind: 'working' as const, hex}] : [],
  );
}

function caseOf(sample: Sample) {
  const {
    request,
    expect: {pan},
  } = sample;
  const {devicePayload, ciphertext, ksn, iv} = request;
  const ciphertexts = ciphertext === undefined ? [] : [{name: 'block', hex: ciphertext}];
  return {payload: devicePayload, ciphertexts, ksn, iv, pan, keys: workingKeysOf(sample)};
}

/** The plaintexts that a sample expects, in hex. */
function plaintextsOf({expect: {response, plaintext}}: Sample): string[] {
  const members = ['track1', 'track2', 'track3', 'tlv', 'track2equivalent', 'keyed'];
  const found = plaintext
    ? Object.values(plaintext).map((one) => (typeof one === 'string' ? one : one.hex))
    : members.map((name) => (response?.[name] as {decrypted?: string} | undefined)?.decrypted);
  return found.filter((hex) => hex !== undefined).map(inHex);
}

function inHex(text: string): string {
  return /^[0-9a-f]*$/i.test(text)
    ? text.toLowerCase()
    : Buffer.from(text, 'base64').toString('hex');
}

describe('the shared samples', () => {
  it.each(opens.map((sample) => [sample.id, sample] as const))('%s opens', async (_, sample) => {
    const {solved, plaintexts} = await diagnoseJson(caseOf(sample));
    const clear = sample.request.devicePayload?.toLowerCase() ?? '';
    const text = plaintexts.map((one) => Buffer.from(one.text, 'latin1').toString('hex'));
    // One block stands for characters inside a track, which only its text shows whole.
    const whole = sample.id.startsWith('abecs-pan-') ? text : [];
    const hex = [...plaintexts.map((one) => one.hex), ...whole, clear].join(' ');
    const from = 2 * (IN_CLEAR[sample.id] ?? 0);
    const wanted = plaintextsOf(sample)
      .map((one) => trimmed(one.slice(from)))
      .filter((one) => from === 0 || one.length === 20);
    const missing = wanted.filter((one) => !hex.includes(one));
    expect({solved, missing}).toEqual({solved: true, missing: []});
  });

  it.each(Object.entries(REPAIRED))('%s is diagnosed as %s', async (id, label) => {
    const sample = samples.find((one) => one.id === id);
    const found = sample && (await diagnoseJson(caseOf(sample)));
    expect(found && {solved: found.solved, labels: labelsOf(found)}).toEqual({
      solved: true,
      labels: expect.arrayContaining([label]),
    });
  });

  it('says of a hash that does not match what decrypt says of it', async () => {
    const sample = samples.find(({id}) => id === 'neg-prima-hash');
    const {verdicts} = await diagnoseJson(caseOf(sample as Sample));
    const verdict = verdicts.find(({label}) => label === 'masked-copy-differs');
    expect(verdict?.detail).toContain('sha1');
  });

  it.each(searched.map((sample) => [sample.id, sample] as const))(
    '%s stays closed',
    async (_, sample) => {
      expect((await diagnoseJson(caseOf(sample))).solved).toBe(false);
    },
  );
});

/** Of several lists joined, the beginning of the first is enough. */
function trimmed(hex: string): string {
  return hex.slice(0, 20);
}
