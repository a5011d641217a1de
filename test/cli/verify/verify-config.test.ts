import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, it} from 'vitest';
import {readVerifyConfig} from '../../../src/cli/verify/verify-config.js';
import {AUTH_METHODS, KEY_OF_METHOD} from '../../../src/contract/auth-method.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

async function methodsOf(config: object): Promise<readonly string[]> {
  const file = path.join(tempFolder(), 'verify.json');
  writeFileSync(file, JSON.stringify(config), {mode: 0o600});
  return [...(await readVerifyConfig(file)).methods];
}

const KEYS = {partnerKey: 'key', sharedKey: 'shared'};

it.each(['partnerKey', 'sharedKey'] as const)('a %s allows its methods', async (name) => {
  const partner = {partnerId: 'DEMO', partnerKey: '', sharedKey: '', [name]: KEYS[name]};
  const allowed = AUTH_METHODS.filter(
    (method) => KEY_OF_METHOD[method] === name && method !== 'digest-preemptive',
  );
  expect(await methodsOf({partner})).toEqual(allowed);
});

it('takes the methods that it names', async () => {
  expect(await methodsOf({methods: AUTH_METHODS})).toEqual(AUTH_METHODS);
});

it.each([[['hmca']], ['hmac'], [[1]]])('refuses the methods %j', async (methods) => {
  await expect(methodsOf({methods})).rejects.toMatchObject({
    code: 9002,
    detail: expect.stringContaining(AUTH_METHODS.join(', ')),
  });
});
