import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readDeviceFile, updateDeviceFile} from '../../../src/service/registry/device-file.js';
import {changeDevice, deviceLine} from '../../../src/service/registry/device-line.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

const ONE = deviceLine({partnerId: 'A', serial: '1', status: 'active'});
const TWO = deviceLine({partnerId: 'A', serial: '2', status: 'stored'});

function fileWith(content: string | Uint8Array): {path: string; mayBeMissing: boolean} {
  const path = join(tempFolder(), 'devices.jsonl');
  writeFileSync(path, content);
  return {path, mayBeMissing: false};
}

const missing = (mayBeMissing: boolean) => ({path: join(tempFolder(), 'none'), mayBeMissing});

describe('a devices file', () => {
  it('is read line by line, empty ones left out', async () => {
    const {lines, registry} = await readDeviceFile(fileWith(`${ONE.text}\n \n\n${TWO.text}`));
    expect(lines).toEqual([ONE, TWO]);
    expect([ONE, TWO].map(({device}) => registry.add(device))).toEqual([ONE.device, TWO.device]);
  });

  it('may name its schema in the first line, which every change keeps', async () => {
    const head = '{"$schema": "./devices.schema.json"}';
    const file = fileWith(`${head}\n${ONE.text}\n`);
    expect((await readDeviceFile(file)).lines).toEqual([ONE]);
    await updateDeviceFile(file, ({lines}) => [...lines, TWO]);
    expect(readFileSync(file.path, 'utf8')).toBe(`${head}\n${ONE.text}\n${TWO.text}\n`);
  });

  it.each([`${ONE.text}\n{"$schema": "x"}`, '{"$schema": 1}', '{"$schema": "x", "serial": "1"}'])(
    'has no other line without a device: %s',
    async (content) => {
      await expect(readDeviceFile(fileWith(content))).rejects.toMatchObject({code: 9002});
    },
  );

  it('need not be there by its default name', async () => {
    expect((await readDeviceFile(missing(true))).lines).toEqual([]);
  });

  it('must be there when it was named', async () => {
    await expect(readDeviceFile(missing(false))).rejects.toMatchObject({code: 9002});
  });

  it('must be a file, also by its default name', async () => {
    const folder = {path: tempFolder(), mayBeMissing: true};
    await expect(readDeviceFile(folder)).rejects.toMatchObject({code: 9002});
  });

  it('must be UTF-8', async () => {
    const file = fileWith(Uint8Array.of(0xff, 0x0a));
    await expect(readDeviceFile(file)).rejects.toThrow('expected UTF-8');
  });

  it.each([
    ['no device', `${ONE.text}\n\n{}`, 'line 3: partnerId'],
    ['a device twice', `${ONE.text}\n${ONE.text}`, 'line 2: duplicates the device'],
  ])('names the line with %s', async (_, content, why) => {
    await expect(readDeviceFile(fileWith(content))).rejects.toMatchObject({
      ...{code: 9002, detail: expect.stringContaining(why)},
    });
  });

  it('of more lines than one stretch is read whole', async () => {
    const lines = Array.from({length: 4001}, (_, i) => ONE.text.replace('"1"', `"${i + 1}"`));
    expect((await readDeviceFile(fileWith(lines.join('\n')))).registry.size).toBe(4001);
  });
});

describe('a change of a devices file', () => {
  const store = (line = ONE) => [changeDevice(line, {status: 'stored'})];

  it('is saved, a line each', async () => {
    const file = fileWith(ONE.text);
    await updateDeviceFile(file, ({lines}) => [...lines, TWO]);
    expect(readFileSync(file.path, 'utf8')).toBe(`${ONE.text}\n${TWO.text}\n`);
  });

  it('makes the folder, for its owner alone', async () => {
    const folder = join(tempFolder(), 'a', 'b');
    await updateDeviceFile({path: join(folder, 'd'), mayBeMissing: true}, () => [ONE]);
    expect([statSync(folder).mode & 0o777, readdirSync(folder)]).toEqual([0o700, ['d']]);
  });

  it('keeps the mode of the file', async () => {
    const file = fileWith(ONE.text);
    chmodSync(file.path, 0o640);
    await updateDeviceFile(file, () => store());
    expect(statSync(file.path).mode & 0o777).toBe(0o640);
  });

  it('replaces the file that a link leads to, not the link', async () => {
    const file = fileWith(ONE.text);
    const link = join(tempFolder(), 'link');
    symlinkSync(file.path, link);
    await updateDeviceFile({...file, path: link}, ({lines}) => store(lines[0]));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect((await readDeviceFile(file)).lines[0]?.device.status).toBe('stored');
  });

  it('is made under a lock, which goes with it', async () => {
    const file = fileWith(ONE.text);
    const seen: string[] = [];
    await updateDeviceFile(file, () => {
      seen.push(...readdirSync(join(file.path, '..')));
      return store();
    });
    expect(seen.filter((name) => name.startsWith('.devices.jsonl.lock.'))).toHaveLength(1);
    expect(readdirSync(join(file.path, '..'))).toEqual(['devices.jsonl']);
  });

  it('is none when the file cannot be read', async () => {
    const file = fileWith('{');
    await expect(updateDeviceFile(file, () => [ONE])).rejects.toMatchObject({code: 9002});
    expect(readFileSync(file.path, 'utf8')).toBe('{');
  });
});
