import {readFileSync} from 'node:fs';
import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {Secret} from '../../../src/contract/secret.js';
import {unwrapKeyBlock, wrapKeyBlock} from '../../../src/engine/key-block/key-block.js';
import {openKeyBlock} from '../../../src/keyfile/key-blocks/open-key-block.js';
import {keyEntryOf} from '../../../src/keyfile/keys/key-entry.js';
import {demand, type FuzzInput, type FuzzTarget} from '../fuzz-target.js';
import {demandSilence, kindOf, patternOf, textOf} from './errors.js';

interface Vector {
  readonly kbpk: string;
  readonly block: string;
}

const {vectors}: {vectors: readonly Vector[]} = JSON.parse(
  readFileSync(new URL('../../vectors/key-block.json', import.meta.url), 'utf8'),
);
const KEY = '0123456789ABCDEFFEDCBA9876543210';
const SEEDS: readonly FuzzInput[] = [
  ...vectors.map(({block, kbpk}) => [block, kbpk]),
  ...ownBlocks(),
];
const GENUINE = new Set(SEEDS.map(([block = '']) => block.toUpperCase()));

/** Key blocks: the header, unwrapping, and the conversion to a key of a keyfile. */
export const keyBlockTarget: FuzzTarget = {
  name: 'key-block',
  tokens: [
    'KS18FFFF9876543210E00000',
    'KC0C0008D7B4',
    'PB0400',
    'TS10',
    '0004',
    'B0TX',
    'B1TX',
    'A',
  ],
  seeds: () => SEEDS,
  repair: (block) => block.slice(0, 1) + String(block.length).padStart(4, '0') + block.slice(5),
  run: ([block = '', kbpk = '']) => {
    const secret = Secret.fromHex(kbpk) ?? new Secret(new Uint8Array(16));
    const opened = resultOrError(() => unwrapKeyBlock(block, secret));
    if (!(opened instanceof PaylensError)) demandGenuine(block);
    const key = resultOrError(() => kbpkOf(secret));
    const entry =
      key instanceof PaylensError
        ? key
        : resultOrError(() => openKeyBlock({keyBlock: block}, key, 'it'));
    const answers = [opened, entry];
    for (const each of answers)
      if (each instanceof PaylensError) demandSilence(each, patternOf([KEY, kbpk]));
    const shown = (text: (error: PaylensError) => string) =>
      answers.map((each) => (each instanceof PaylensError ? text(each) : JSON.stringify(each)));
    return {features: shown(kindOf), answer: shown(textOf).join('\n')};
  },
};

/** The MAC covers every character, so only blocks that somebody wrapped can be unwrapped. */
function demandGenuine(block: string): void {
  demand(GENUINE.has(block.trim().toUpperCase()), 'a changed block opens');
}

function kbpkOf(secret: Secret) {
  return keyEntryOf(
    {kind: 'kbpk', algorithm: secret.length === 32 ? 'aes' : 'tdes'},
    secret,
    'kbpk',
  );
}

/**
 * Blocks of every version and usage, with optional blocks, wrapped here; they must unwrap again.
 */
function ownBlocks(): FuzzInput[] {
  const optional = [{id: 'KS', data: 'FFFF9876543210E00000'}];
  return (['A', 'B', 'C', 'D'] as const).flatMap((version) =>
    ['B0', 'B1', 'K0', 'P0'].map((usage) => {
      const kbpk = version === 'D' ? KEY + KEY : 'AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB';
      const header = {
        version,
        usage,
        algorithm: 'T',
        mode: 'X',
        keyVersion: '00',
        exportability: 'E',
        optional,
      };
      const block = {header, key: secretOf(KEY)};
      const random = (size: number) => new Uint8Array(size).fill(7);
      return [wrapKeyBlock(block, secretOf(kbpk), {random}), kbpk];
    }),
  );
}

function secretOf(hex: string): Secret {
  return new Secret(Buffer.from(hex, 'hex'));
}
