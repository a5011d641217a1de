import {beforeEach, describe, expect, it, vi} from 'vitest';
import type {Ksn} from '../../../src/engine/dukpt/ksn.js';

/** The KSN whose keys come out wrong, and what was derived. */
const kernel = vi.hoisted(() => ({wrong: '', derived: [] as string[]}));

type Class = new (root: unknown, ksn: Ksn, ...rest: unknown[]) => object;

/** `Base`, whose keys of one KSN have their last bit changed. */
function spoiled(Base: Class, method: string, whole: (ksn: Ksn) => string): Class {
  return class extends Base {
    constructor(root: unknown, ksn: Ksn, ...rest: unknown[]) {
      super(root, ksn, ...rest);
      kernel.derived.push(whole(ksn));
      const derive = (this as never as Record<string, (...a: unknown[]) => Uint8Array>)[method];
      Object.defineProperty(this, method, {
        value: (...usage: unknown[]) => {
          const key = derive?.apply(this, usage) ?? new Uint8Array();
          if (kernel.wrong === whole(ksn)) key[7] = (key[7] ?? 0) ^ 1;
          return key;
        },
      });
    }
  };
}

const AES = ['123456789012345600845FED', '1234567890123456FFFF0000', '123456789012345600000007'];
const TDES = ['62994901190000000003', 'FFFF9876543211000620', '02820620140175E0001D'];

const nameOf = (ksn: Ksn) => ksn.hex;

vi.mock('../../../src/engine/dukpt/aes-transaction-key.js', async (original) => {
  const real = await original<{AesTransactionKey: Class}>();
  return {...real, AesTransactionKey: spoiled(real.AesTransactionKey, 'aesWorkingKey', nameOf)};
});

vi.mock('../../../src/engine/dukpt/tdes-transaction-key.js', async (original) => {
  const real = await original<{TdesTransactionKey: Class}>();
  return {...real, TdesTransactionKey: spoiled(real.TdesTransactionKey, 'workingKey', nameOf)};
});

/** Fresh ones: a self-test that succeeded is not repeated. */
async function selfTests() {
  const {proveAesDukpt} = await import('../../../src/engine/dukpt/self-tests.js');
  const {proveTdesDukpt} = await import('../../../src/engine/dukpt/self-tests.js');
  return {aes: proveAesDukpt, tdes: proveTdesDukpt};
}

beforeEach(() => {
  vi.resetModules();
  Object.assign(kernel, {wrong: '', derived: []});
});

describe.each([
  ['aes', AES],
  ['tdes', TDES],
] as const)('the self-test of %s DUKPT', (algorithm, ksns) => {
  it.each(ksns)('fails when the key of %s alone comes out wrong, each time', async (ksn) => {
    const {[algorithm]: prove} = await selfTests();
    kernel.wrong = ksn;
    const failed = expect.objectContaining({code: 1});
    expect(prove).toThrow(failed);
    expect(prove).toThrow(failed);
  });

  it('derives its keys, and only once', async () => {
    const {[algorithm]: prove} = await selfTests();
    prove();
    expect(kernel.derived).toEqual(ksns);
    prove();
    expect(kernel.derived).toEqual(ksns);
  });
});
