import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** A command in a folder of its own, in a terminal of so many columns. */
export interface Run {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly columns: number;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const SAMPLES = path.join(root, 'samples');
const PAN = '4761739001010119';

/** Names that are wider than their characters are many, and one that no line can hold. */
const WIDE = '決済端末のサンプル鍵💳💳';
const MARKED = 'e\u0301'.repeat(30);
const LONG = `name-${'x'.repeat(150)}`;
const LABEL = `label-${'x'.repeat(50)}`;

/**
 * Every command as it succeeds and as it fails, in an order in which each finds what it needs. `url` is
 * that of a demo server.
 */
export function runsOf(url: string): string[][] {
  return [
    ...keyfileRuns(),
    ...deviceRuns(),
    ...profileRuns(url),
    ...payloadRuns(),
    ...requestRuns(url),
    ...mistakes(),
  ];
}

const READ = path.join(SAMPLES, 'idtech-swipe.json');
const PRIVATE = path.join(SAMPLES, 'idtech-private-key.json');
const KEYFILE = ['--keyfile', 'keys.age', '--passphrase-file', 'passphrase.txt'];

function keyfileRuns(): string[][] {
  const bdk = ['--key-file', 'bdk.hex'];
  return [
    ['key', 'list', ...KEYFILE],
    ['keyfile', 'create', ...KEYFILE, '--work-factor', '10'],
    ['keyfile', 'create', ...KEYFILE],
    ['key', 'list', ...KEYFILE],
    ['partner', 'list', ...KEYFILE],
    ['key', 'add', WIDE, ...KEYFILE, '--ksn-prefix', '6299490119', ...bdk],
    ['key', 'add', LABEL, ...KEYFILE, '--ksn-prefix', 'FFFF9876543210', ...bdk],
    ['key', 'add', MARKED, ...KEYFILE, '--ksn-prefix', 'FFFF9876543211', ...bdk],
    ['key', 'add', ...KEYFILE, 'transport', '--kind', 'kbpk', ...bdk],
    ['key', 'add', ...KEYFILE, '--key-file', `${LONG}.hex`],
    ['key', 'list', ...KEYFILE],
    ['key', 'export', ...KEYFILE],
    ['key', 'export', ...KEYFILE, '--reveal'],
    ['key', 'list', ...KEYFILE, '--json'],
    ['key', 'export', LABEL, ...KEYFILE, '--output', `${LABEL}.json`],
    ['key', 'import', `${LABEL}.json`, ...KEYFILE],
    ['key', 'remove', LABEL, ...KEYFILE, '--yes'],
    ['key', 'import', `${LABEL}.json`, ...KEYFILE],
    ['partner', 'add', 'WATERFORD', ...KEYFILE],
    ['partner', 'add', `${WIDE}${LONG}`.slice(0, 60), ...KEYFILE],
    ['partner', 'add', '--partner', 'WATERFORD', ...KEYFILE],
    ['partner', 'list', ...KEYFILE],
    ['partner', 'rotate', 'WATERFORD', ...KEYFILE],
    ['keyfile', 'show', ...KEYFILE],
    ['partner', 'remove', 'WATERFORD', ...KEYFILE, '--yes'],
    ['keyfile', 'rekey', ...KEYFILE, '--work-factor', '10'],
    ['decrypt', READ, ...KEYFILE],
    ['decrypt', READ, ...KEYFILE, '--explain'],
  ];
}

function deviceRuns(): string[][] {
  const file = ['--devices', 'devices.jsonl'];
  return [
    ['device', 'list', ...file],
    ['device', 'add', '80320050', '--partner', 'WATERFORD', ...file],
    ['device', 'add', '80320050', '--partner', 'WATERFORD', ...file],
    ['device', 'add', '80320051', '--partner', 'WATERFORD', '--client', WIDE, ...file],
    ['device', 'import', 'devices.csv', ...file],
    ['device', 'list', ...file],
    ['device', 'set', '80320050', '--firmware', '1.0', '--firmware', '1.0.12-beta', ...file],
    ['device', 'remove', '80320050', ...file, '--yes'],
    ['device', 'remove', '1', ...file, '--yes'],
  ];
}

function profileRuns(url: string): string[][] {
  return [
    ['profile', 'list'],
    ['profile', 'add', 'lab', '--base-url', url, '--partner', 'DEMO'],
    ['profile', 'add', 'long', '--base-url', `https://${'long.'.repeat(20)}example.com`],
    ['profile', 'list'],
    ['profile', 'use', 'long'],
    ['profile', 'remove', 'long'],
    ['profile', 'remove', LONG],
  ];
}

function payloadRuns(): string[][] {
  const ciphertext =
    'C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12';
  return [
    ['decrypt', READ, '--test-keys'],
    ['decrypt', READ, '--test-keys', '--explain', '--reveal'],
    ['decrypt', path.join(SAMPLES, 'idtech-keyed.json'), '--test-keys'],
    ['decrypt', PRIVATE, '--test-keys'],
    ['listen', path.join(SAMPLES, 'idtech-swipe.txt'), '--test-keys'],
    ['inspect', READ],
    ['inspect', READ, '--reveal'],
    ['inspect', path.join(SAMPLES, 'generic-tracks.json')],
    ['diagnose', PRIVATE, '--test-keys', '--time-limit', '1s'],
    ['diagnose', READ, '--test-keys', '--reveal'],
    ['diagnose', ciphertext, '--ksn', '9876543210E00008', '--test-keys'],
    ['diagnose', 'case.json', '--reveal'],
    ['derive', 'FFFF9876543210E00001', '--test-keys'],
    ['derive', '123456789012345600000001', '--test-keys', '--reveal'],
    ['errors'],
    ['errors', '2601'],
    ['errors', '2601', '--json'],
    ['sample'],
    ['sample', 'idtech-swipe'],
    ['export', 'python', '--quiet'],
    ['inspect', READ, '--json'],
    ['simulate', '--list-cards'],
    ['simulate', '--list-options', '--device-type', 'idtech'],
    ['simulate', '--list-options', '--device-type', 'verifone'],
    ['simulate', '--device-type', 'idtech', '--test-keys', '--json'],
  ];
}

function requestRuns(url: string): string[][] {
  const target = ['--target', '/api/v1/partner/validate'];
  const demo = ['--partner', 'DEMO', '--shared-key-file', 'shared.txt'];
  const header = `Hmac username="OTHER", nonce="n", timestamp="1", response="${'a'.repeat(64)}"`;
  const send = ['--base-url', url, '--partner', 'DEMO'];
  const key = ['--partner-key-file', 'partner.txt'];
  return [
    ['sign', '{}', ...target, ...demo],
    ['sign', '{}', ...target, ...demo, '--explain'],
    ['sign', '{}', ...target, ...demo, '--check', header],
    ['send', 'partner', ...send, '--method', 'basic', ...key],
    ['send', 'partner', ...send, '--shared-key-file', 'shared.txt', '--count', '20'],
    ['send', 'device', 'DEMO0001', '--firmware', '1.0', ...send, '--method', 'basic', ...key],
    ['send', 'payload', READ, ...send, '--method', 'basic', ...key],
    ['send', 'payload', PRIVATE, ...send, '--method', 'basic', ...key],
    [
      'send',
      'partner',
      '--url',
      'http://127.0.0.1:9',
      '--partner',
      'DEMO',
      '--method',
      'basic',
      ...key,
    ],
    ['verify', '--list', '--level', 'paylens'],
    ['explore', '--write', 'page.html'],
    ['verify', url, '--only', 'partner-valid', '--only', 'hmac-valid'],
    ['verify', `http://${'long.'.repeat(20)}invalid`, '--only', 'body-not-json'],
    ['serve', '--devices', `${LONG}.jsonl`, ...KEYFILE],
    ['serve', '--demo', '--port', '99999'],
  ];
}

function mistakes(): string[][] {
  return [
    ['completion', 'bash'],
    ['nonsense'],
    ['decrypt', '--nonsense'],
    ['listen', 'tcp:'],
    ['decrypt', `/tmp/${'folder/'.repeat(20)}${LONG}`],
    ['decrypt', `/tmp/${WIDE.repeat(5)}`],
    ['decrypt', '--payload', `${'\u001b[31m\t'.repeat(40)}`],
    ['decrypt', '--payload', PAN],
    ['decrypt', '--key', '0123456789ABCDEFFEDCBA9876543210'],
    ['inspect', '--payload', 'xyz', '--device-type', 'nothing'],
    ['diagnose', '--payload', '00', '--time-limit', '0s'],
    ['sample', LONG],
    ['errors', '12345'],
  ];
}

/** What is meant for copying: as long as it is. */
export function isForCopying(argv: readonly string[]): boolean {
  const [command, second = ''] = argv;
  if (argv.includes('--json') || command === 'completion') return true;
  if (command === 'key') return second === 'export' && argv.includes('--reveal');
  if (command === 'sign') return !argv.includes('--check');
  if (command === 'simulate') return !argv.some((word) => word.startsWith('--list'));
  return command === 'export' || (command === 'sample' && second.startsWith('idtech'));
}

/** The files that the commands read. */
export const FILES: Readonly<Record<string, string>> = {
  'passphrase.txt': 'correct horse battery staple',
  'bdk.hex': '0123456789ABCDEFFEDCBA9876543210\n',
  'shared.txt': '5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00',
  'partner.txt': 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0',
  'devices.csv': `partnerId,serial,clientId,firmware\n決済,${'9'.repeat(40)},${'c'.repeat(50)},1.0;1.1\n`,
  'case.json': JSON.stringify({
    payload:
      'C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12',
    ksn: 'FFFF9876543210E00008',
    keys: [{kind: 'bdk', hex: '0123456789ABCDEFFEDCBA9876543210'}],
  }),
};
