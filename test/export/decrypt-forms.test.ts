import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {DECRYPT_FORMS, type DecryptCall} from '../../src/export/copy-forms.js';
import {startServer} from '../../src/service/start-server.js';

/** ANSI X9.24-1:2009, Annex A. */
const BDK = '0123456789ABCDEFFEDCBA9876543210';
const sample = (name: string) => {
  const {deviceType, devicePayload} = JSON.parse(readFileSync(`samples/${name}.json`, 'utf8'));
  return {deviceType, devicePayload, ksn: undefined, iv: undefined};
};
const PAN = '4266841088889999';
const RUN = {
  curl: ['sh', '-c'],
  'Node.js': [process.execPath, '--input-type=module', '--eval'],
  Python: ['python3', '-c'],
} as const;

async function run(form: keyof typeof RUN, call: DecryptCall, url: string, changes: string[][]) {
  const code = [['http://127.0.0.1:8080', url], ...changes].reduce(
    (text, [from = '', to = '']) => text.replaceAll(from, to),
    DECRYPT_FORMS[form](call),
  );
  expect(code).not.toContain(BDK);
  const [program, ...flags] = RUN[form];
  const env = {PATH: process.env.PATH, KEY: BDK};
  const {stdout} = await promisify(execFile)(program, [...flags, code], {env});
  return stdout;
}

const FORMS = Object.keys(RUN) as (keyof typeof RUN)[];
const request = sample('idtech-swipe');

test.each(FORMS)('the code of %s decrypts with the published test keys', async (form) => {
  await using server = await startServer({mode: 'demo'});
  expect(await run(form, {request}, server.url, [])).toContain(PAN);
});

test.each(FORMS)('the code of %s decrypts with a key and a partner of your own', async (form) => {
  await using server = await startServer({
    partners: [{partnerId: 'WATERFORD', partnerKey: 'it is ours alone'}],
    keys: [{key: BDK}],
    devices: [{partnerId: 'WATERFORD', serial: '62994901190000'}],
  });
  const own = [
    ['PARTNER_ID', 'WATERFORD'],
    ['PARTNER_KEY', 'it is ours alone'],
  ];
  expect(await run(form, {request, ownKey: 'bdk'}, server.url, own)).toContain(PAN);
});

test.each(['curl', 'Python'] as const)(
  'the code of %s names the server that takes it',
  async (form) => {
    const call = {request: sample('magtek-swipe')};
    const [first = ''] = DECRYPT_FORMS[form](call).split('\n');
    expect(first).toBe('# With `paylens serve --demo --extended`.');
    await using server = await startServer({mode: 'demo', extended: true});
    expect(await run(form, call, server.url, [])).toContain('"success":true');
    expect(DECRYPT_FORMS[form]({request})).toContain('# With `paylens serve --demo`.');
  },
);
