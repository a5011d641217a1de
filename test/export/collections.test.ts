import {execFile} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {COLLECTIONS, type CollectionTerms, type KeyEncoding} from '../../src/export/collections.js';
import {startServer} from '../../src/service/start-server.js';

const SWIPE = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
const RUN = {curl: ['sh', '-c'], python: ['python3', '-c']} as const;
const KEYS: readonly (readonly [KeyEncoding, string])[] = [
  ['utf8', "it's $HOME ü %s 4711 of ours"],
  ['hex', randomBytes(32).toString('hex')],
  ['base64', randomBytes(32).toString('base64')],
];
const CASES = (['curl', 'python'] as const).flatMap((form) =>
  KEYS.map(([encoding, sharedKey]) => ({form, encoding, sharedKey})),
);

function termsOf(baseUrl: string, encoding: KeyEncoding): CollectionTerms {
  const bodies = {
    'validate-partner': `{"reference":"it's 100% \\\\ of \\"it\\""}`,
    'validate-device': JSON.stringify({
      serial: SWIPE.deviceSerial ?? '62994901190000',
      firmware: '1.0',
    }),
    'process-payload': JSON.stringify(SWIPE),
  };
  return {baseUrl, partnerId: 'WATERFORD', encoding, bodies};
}

test.each(CASES)(
  'the requests of $form, signed by a key in $encoding, are accepted',
  async ({form, encoding, sharedKey}) => {
    await using server = await startServer({
      strict: true,
      partners: [{partnerId: 'WATERFORD', sharedKey, encoding}],
      devices: [{partnerId: 'WATERFORD', serial: '62994901190000'}],
    });
    const text = COLLECTIONS[form](termsOf(server.url, encoding));
    expect(text.includes(sharedKey)).toBe(false);
    const [program, flag] = RUN[form];
    const env = {PATH: process.env.PATH, SHARED_KEY: sharedKey};
    const {stdout} = await promisify(execFile)(program, [flag, text], {env});
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({success, errMessage}) => errMessage ?? success)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      server.requests().map(({authentication, operation}) => [authentication, operation]),
    ).toEqual([
      ['hmac', 'validate-partner'],
      ['hmac', 'validate-device'],
      ['hmac', 'process-payload'],
    ]);
  },
);

test.each(['curl', 'python'] as const)('%s refuses to run without a key', async (form) => {
  const [program, flag] = RUN[form];
  const text = COLLECTIONS[form](termsOf('http://127.0.0.1:1', 'utf8'));
  const run = promisify(execFile)(program, [flag, text], {env: {PATH: process.env.PATH}});
  const {stderr} = await run.catch((error: {stderr: string}) => error);
  expect(stderr).toMatch(/SHARED_KEY: set it to the shared key of the partner$/m);
  expect(stderr).not.toContain('Traceback');
});

test.each(KEYS)('a Postman collection has the key as an empty, secret variable, %s', (encoding) => {
  const {variable, item, event} = JSON.parse(
    COLLECTIONS.postman(termsOf('http://127.0.0.1:1', encoding)),
  );
  expect(variable.at(-1)).toEqual({key: 'sharedKey', value: '', type: 'secret'});
  expect(item).toHaveLength(3);
  const script: string = event[0].script.exec.join('\n');
  expect(() => new Function('require', 'pm', script)).not.toThrow();
  expect(script).toMatch(/^\(function \(\) \{/);
});
