import {describe, expect, it} from 'vitest';
import {LABELS} from '../../src/diagnosis/labels.js';
import {decrypt, diagnose, explain, inspect, PaylensError, simulate} from '../../src/index.js';
import {errorOf} from '../code-of.js';

const BDK = '0123456789ABCDEFFEDCBA9876543210';
const OTHER = '00112233445566778899AABBCCDDEEFF';
const KSN = 'FFFF9876543210E00008';
const {devicePayload} = await simulate({deviceType: 'idtech', ksn: KSN, testKeys: true});
// Compiled by then, so that 300 ms are as long as in a program that runs.
for (const deviceType of ['miura', 'idtech', undefined])
  await diagnose({payload: devicePayload, deviceType, keys: [{hex: OTHER}]});

/** Types whose payloads are hex from end to end. */
const HEX_TYPES = ['idtech', 'miura', 'verifone', 'wisepad', 'magtek'];

/** The words behind `paylens decrypt`, as the library takes them. */
function optionsOf(next: string) {
  const [, type] = /--device-type (\S+)/.exec(next) ?? [];
  const [, payload = ''] = /--payload (\S+)/.exec(next) ?? [];
  return {payload, deviceType: type, testKeys: next.includes('--test-keys')};
}

describe('explain', () => {
  it('names the type of the payload, with a command whose words decrypt it', async () => {
    const error = errorOf(() => decrypt(devicePayload, {deviceType: 'miura', testKeys: true}));
    const {label, evidence, next = ''} = await explain(error);
    expect(label).toBe('wrong-type');
    expect(evidence.length).toBeGreaterThan(0);
    const {payload, ...options} = optionsOf(next);
    expect(options.deviceType).toBe('idtech');
    expect(decrypt(payload, options).extracted.PAN).toBe('4111111111111111');
  });

  it('names the key that decrypts it, and shows neither a key nor a card', async () => {
    const error = errorOf(() => decrypt(devicePayload, {keys: {bdk: OTHER, name: 'lab'}}));
    const answer = await explain(error);
    expect(answer.label).toBe('key-wrong');
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${OTHER}|${BDK}|4111111111111111`));
  });

  it('calls a key without a name by its place', async () => {
    const error = errorOf(() =>
      decrypt(devicePayload, {keys: [{bdk: BDK.replace('0', '1')}, {bdk: OTHER}]}),
    );
    expect((await explain(error)).cause).not.toMatch(/keys\[|keys is/);
    const one = errorOf(() => decrypt(devicePayload, {keys: {bdk: OTHER}}));
    expect((await explain(one)).cause).toContain('Key 1 is the BDK itself');
  });

  it('keeps the payload of the call, though its bytes were changed since', async () => {
    const bytes = new Uint8Array(Buffer.from(devicePayload, 'hex'));
    const error = errorOf(() => decrypt(bytes, {deviceType: 'miura'}));
    bytes.fill(0);
    expect((await explain(error)).label).toBe('wrong-type');
  });

  it('takes keys that were wiped since for none', async () => {
    const bdk = new Uint8Array(Buffer.from(OTHER, 'hex'));
    const error = errorOf(() => decrypt(devicePayload, {keys: {bdk}}));
    bdk.fill(0);
    expect((await explain(error)).next).toMatch(/--test-keys$/);
  });

  it('says of an inspection what is damaged, and of what nothing decrypts how to search on', async () => {
    const cut = devicePayload.slice(0, 301);
    const {error} = inspect(cut, {deviceType: 'idtech'});
    const {cause, next} = await explain(error);
    expect(cause).not.toBe('');
    expect(next).toBe('paylens diagnose --device-type idtech - --test-keys');
    const unknown = await explain(errorOf(() => decrypt('no payload at all', {keys: {bdk: BDK}})));
    expect(unknown).toMatchObject({evidence: [], next: 'paylens diagnose - --key-prompt'});
  });

  it.each(HEX_TYPES)(
    'says of a payload of %s that a digit was lost, not what is around it',
    async (type) => {
      const {devicePayload: whole} = await simulate({
        deviceType: type,
        mode: 'emv',
        testKeys: true,
      });
      const at = Math.floor(whole.length * 0.6);
      const error = errorOf(() =>
        decrypt(whole.slice(0, at) + whole.slice(at + 1), {testKeys: true}),
      );
      expect(error).toMatchObject({code: 2102, fault: {kind: 'half-byte'}});
      const {label, cause} = await explain(error);
      expect(label === undefined ? 'bytes' : LABELS[label].subject).toMatch(/^bytes/);
      expect(cause).toMatch(/digit/);
    },
  );

  it('says the hint of any other error of paylens, and refuses what is none', async () => {
    const error = errorOf(() => decrypt(devicePayload, {keys: {bdk: '00'}}));
    expect(error).toBeInstanceOf(PaylensError);
    expect(await explain(error)).toEqual({cause: (error as PaylensError).hint, evidence: []});
    for (const none of [undefined, 'text', {}, new Error('other')])
      await expect(explain(none)).rejects.toMatchObject({code: 2005});
  });

  it('shows nothing of the call in the error', () => {
    const error = errorOf(() => decrypt(devicePayload, {keys: {bdk: OTHER}}));
    const shown = JSON.stringify([error, Object.getOwnPropertyNames(error), `${error}`]);
    expect(shown).not.toContain(OTHER);
    expect(shown).not.toContain(devicePayload.slice(0, 40));
  });

  it('ends with the reason of its signal, before it begins and between its steps', async () => {
    const error = errorOf(() => decrypt(devicePayload.replace(/..$/, ''), {testKeys: true}));
    await expect(explain(error, {signal: AbortSignal.abort('enough')})).rejects.toBe('enough');
    const controller = new AbortController();
    const foreign = {ksn: KSN, deviceType: 'generic', testKeys: true};
    const other = errorOf(() => decrypt('A73C5B19D0E24F68'.repeat(40), foreign));
    setTimeout(() => controller.abort('later'), 20);
    await expect(explain(other, {signal: controller.signal})).rejects.toBe('later');
  });
});

it('every label of an answer is one of the diagnosis', async () => {
  const {label} = await explain(errorOf(() => decrypt(devicePayload, {deviceType: 'miura'})));
  expect(label && LABELS[label].rank).toBe('mistake');
});
