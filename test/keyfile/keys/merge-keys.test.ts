import {describe, expect, it} from 'vitest';
import {type KeyForm, keyEntryFrom} from '../../../src/keyfile/keys/key-entry.js';
import {mergeKeys} from '../../../src/keyfile/keys/merge-keys.js';
import {TEST_BDK, TEST_IK} from '../sample-keyfile.js';

const bdk = keyEntryFrom({kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF'}, 'a');
const ik = keyEntryFrom({kind: 'ik', hex: TEST_IK, ksnPrefix: 'FFFF9876543210'}, 'b');
const other = keyEntryFrom({kind: 'bdk', hex: TEST_IK, ksnPrefix: 'FFFF'}, 'c');

describe('mergeKeys', () => {
  it('joins the keys of several files', () => {
    expect(
      mergeKeys([
        {path: 'a', keys: [bdk]},
        {path: 'b', keys: [ik]},
      ]),
    ).toEqual([bdk, ik]);
  });

  it('counts a key that stands in two files once', () => {
    expect(
      mergeKeys([
        {path: 'a', keys: [bdk]},
        {path: 'b', keys: [bdk, ik]},
      ]),
    ).toEqual([bdk, ik]);
  });

  it.each<[string, Partial<KeyForm>, Partial<KeyForm>]>([
    ['for any algorithm', {algorithm: 'aes'}, {}],
    ['in compatibility mode', {algorithm: 'aes'}, {algorithm: 'aes', compatibility: true}],
  ])('keeps a key beside the same key %s', (_, first, second) => {
    const keys = [first, second].map((form) =>
      keyEntryFrom({kind: 'bdk', hex: TEST_BDK, ...form}, 'a'),
    );
    const sources = keys.map((key, i) => ({path: `${i}`, keys: [key]}));
    expect(mergeKeys(sources)).toEqual(keys);
  });

  it('refuses different keys for the same KSNs with 9015, naming both files', () => {
    const merge = () =>
      mergeKeys([
        {path: 'a.age', keys: [bdk]},
        {path: 'b.age', keys: [other]},
      ]);
    expect(merge).toThrow(expect.objectContaining({code: 9015}));
    expect(merge).toThrow('a.age and b.age contain different keys: bdk for KSN FFFF..');
  });
});
