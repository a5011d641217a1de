import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import {call, tell} from '../../service/control/control-client.js';
import {hasTerminal} from '../on-terminal.js';
import {serve} from './serving.js';
import {servedOnTerminal} from './terminal-service.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';

async function requests(url: string): Promise<void> {
  await call(url, {partnerKey: '5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00'}, PARTNER);
  await call(url, {serial: 'DEMO0001', firmware: '1.0'}, DEVICE);
  await call(url, {reference: 'error:2601'});
  await tell(url, 'POST /nothing', {});
}

describe('the log of serve', {timeout: 30_000}, () => {
  test('is JSON when it is piped, and each reason has the messageId of its request', async () => {
    const serving = await serve(['--demo', '--explain']);
    await requests(serving.url);
    await serving.logged('"errCode":2008');
    const log = serving.log();
    const why = log.find(({msg}) => msg === 'why 1003');
    const request = log.find(({errCode}) => errCode === 1003);
    expect(why).toMatchObject({faults: ['the shared key was used instead of the partnerKey']});
    expect(why?.messageId).toBe(request?.messageId);
    expect(log.filter(({msg}) => String(msg).includes('offers no protection'))).toHaveLength(1);
  });

  test('is one line per request with --log text', async () => {
    const serving = await serve(['--demo', '--explain', '--log', 'text']);
    await requests(serving.url);
    await serving.logged(' 2008 ');
    const lines = serving.stderr().trimEnd().split('\n').slice(-4);
    const time = String.raw`^\d\d:\d\d:\d\d  `;
    const expected = [
      'validate-partner  401  1003 the shared key was used instead of the partnerKey  -  -  \\d+ ms$',
      'validate-device   200  DEMO  DEMO0001  \\d+ ms$',
      'process-payload   400  2601 [^ ].*  DEMO  miura  \\d+ ms$',
      '-                 404  2008 No such endpoint or method: no such path$',
    ];
    for (const [i, pattern] of expected.entries())
      expect(lines[i]).toMatch(new RegExp(time + pattern));
  });

  test.each(['json', 'text'])('is empty with --quiet and --log %s', async (form) => {
    const serving = await serve(['--demo', '--explain', '--quiet', '--log', form]);
    await requests(serving.url);
    serving.kill('SIGTERM');
    expect((await serving.ended()).exitCode).toBe(0);
    expect(serving.stderr()).toBe('');
  });

  test.runIf(hasTerminal)('is readable on a terminal, with one warning', async () => {
    const seen = await servedOnTerminal(['--demo'], requests);
    expect(seen.match(/offers no protection/g)).toHaveLength(1);
    expect(seen).toMatch(/\d\d:\d\d:\d\d {2}validate-device {3}200 {2}DEMO {2}DEMO0001 {2}\d+ ms/);
    expect(seen).not.toContain('"msg"');
  });

  describe.runIf(hasTerminal)('fits a terminal', () => {
    test.each([40, 60, 80, 120])('of %i columns', async (columns) => {
      const argv = ['--demo', '--explain'];
      const seen = stripVTControlCharacters(await servedOnTerminal(argv, requests, columns));
      const lines = seen.split(/\r*\n/).filter((line) => !line.includes('{"url"'));
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      // Its other lines begin below the operation.
      const whole = lines.join('\n').replace(/\n {10}/g, ' ');
      expect(whole).toMatch(
        /\d {2}validate-partner +401 +1003 the shared key was used instead of the partnerKey +- +- +\d+ ms$/m,
      );
    });

    test('but JSON asked for there is never wrapped', async () => {
      const seen = await servedOnTerminal(['--demo', '--log', 'json'], requests, 40);
      const json = seen.split(/\r*\n/).filter((line) => line.includes('"msg":"request"'));
      expect(json.map((line) => JSON.parse(line).status)).toEqual([401, 200, 400]);
    });
  });
});
