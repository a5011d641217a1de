import {chmodSync, writeFileSync} from 'node:fs';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {registryLoader} from '../../../src/cli/serve/load-registry.js';
import {Secret} from '../../../src/contract/secret.js';
import {registryOf} from '../../../src/service/registry/registry.js';
import {
  PARTNER_KEY,
  putDevices,
  putKeyfile,
  realFiles,
  SERIAL,
  SHARED_KEY,
} from '../../commands/serve/real-service.js';
import {PASSPHRASE} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const query = {partnerId: 'WATERFORD', serial: SERIAL};

describe('registryLoader', () => {
  it('takes the passphrase out of the environment, and loads again without it', async () => {
    quiet();
    const {keyfile} = await realFiles(tempFolder());
    vi.stubEnv('PAYLENS_PASSPHRASE', PASSPHRASE);
    const load = registryLoader({keyfile: [keyfile]});
    await load();
    expect(process.env).not.toHaveProperty('PAYLENS_PASSPHRASE');
    expect(registryOf(await load()).partners('WATERFORD')).toBeDefined();
  });

  it('takes it out when the keyfile cannot be opened, too', async () => {
    const {keyfile} = await realFiles(tempFolder());
    vi.stubEnv('PAYLENS_PASSPHRASE', 'wrong');
    await expect(registryLoader({keyfile: [keyfile]})()).rejects.toMatchObject({code: 9011});
    expect(process.env).not.toHaveProperty('PAYLENS_PASSPHRASE');
  });

  it('reads the passphrase file again at every load', async () => {
    quiet();
    const {keyfile, passphraseFile} = await realFiles(tempFolder());
    const load = registryLoader({keyfile: [keyfile], 'passphrase-file': passphraseFile});
    await load();
    writeFileSync(passphraseFile, 'another');
    await expect(load()).rejects.toMatchObject({code: 9011});
    writeFileSync(passphraseFile, PASSPHRASE);
    expect(registryOf(await load()).partners('WATERFORD')).toBeDefined();
  });

  it('finds the devices beside the keyfile', async () => {
    quiet();
    const {keyfile, devices, passphraseFile} = await realFiles(tempFolder());
    const load = registryLoader({keyfile: [keyfile], 'passphrase-file': passphraseFile});
    expect((await load()).devices.require(query).serial).toBe(SERIAL);
    putDevices(devices, [{serial: '1'}, {serial: '2'}]);
    expect((await load()).devices.size).toBe(2);
  });

  it('warns of two partners with the same shared key, and does not show it', async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const folder = tempFolder();
    const {keyfile, passphraseFile} = await realFiles(folder);
    const second = `${folder}/second.age`;
    const load = registryLoader({keyfile: [keyfile, second], 'passphrase-file': passphraseFile});
    const partnerId = 'OTHER';
    const sharedKey = new Secret(Buffer.from('another shared key'));
    await putKeyfile(second, PARTNER_KEY, ['hmac'], {partnerId, sharedKey});
    await load();
    expect(written.join('')).not.toContain('same shared key');
    await putKeyfile(second, PARTNER_KEY, ['hmac'], {partnerId});
    await load();
    expect(written.join('')).toContain('partners WATERFORD, OTHER have the same shared key');
    expect(written.join('')).not.toContain(SHARED_KEY);
  });

  it('refuses a partner that is in two keyfiles', async () => {
    quiet();
    const folder = tempFolder();
    const {keyfile, passphraseFile} = await realFiles(folder);
    const second = `${folder}/second.age`;
    await putKeyfile(second);
    chmodSync(second, 0o600);
    const flags = {keyfile: [keyfile, second], 'passphrase-file': passphraseFile};
    await expect(registryLoader(flags)().then(registryOf)).rejects.toMatchObject({
      code: 9015,
      detail: 'partner WATERFORD is in two keyfiles',
    });
  });
});

function quiet(): void {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
}
