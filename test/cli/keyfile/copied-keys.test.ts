import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {keyFromFile} from '../../../src/cli/keyfile/read-key.js';
import {tempFolder} from '../../keyfile/temp-folder.js';

/** The BDK of ANSI X9.24-1:2009, annex A.4; the KCV is from OpenSSL: des-ede of eight zero bytes. */
const KEY = '0123456789ABCDEFFEDCBA9876543210';
const KCV = '08D7B4';
const PAIRS = KEY.match(/../g) ?? [];

function read(text: string | Uint8Array): Promise<string> {
  const file = path.join(tempFolder(), 'key.hex');
  writeFileSync(file, text, {mode: 0o600});
  return keyFromFile(file, '--key-file').then(
    (key) => Buffer.from(key.reveal()).toString('hex').toUpperCase(),
    (error) => `${error.code} ${error.detail}`,
  );
}

describe('a key as it is copied', () => {
  it.each([
    KEY.toLowerCase(),
    `0x${KEY}`,
    PAIRS.join(' '),
    PAIRS.join(':'),
    PAIRS.map((pair) => `0x${pair}`).join(' '),
    `${KEY.slice(0, 16)}\n${KEY.slice(16)}\n`,
    `${KEY} ${KCV}`,
    `${KEY}\n${KCV}\n`,
    `${KEY}:${KCV}`,
    `${KEY} (${KCV})`,
    `${KEY}[${KCV.toLowerCase()}]`,
    `${KEY} KCV ${KCV}`,
    `${KEY} (KCV: ${KCV})`,
    `${PAIRS.join(' ')} 08 D7 B4`,
    `${KEY} ${KCV.slice(0, 4)}`,
    PAIRS.join('-'),
    `\ufeff${KEY}\r\n`,
    // As PowerShell redirects it.
    Buffer.from(`\ufeff${KEY} (${KCV})\r\n`, 'utf16le'),
  ])('%j is read', async (text) => {
    expect(await read(text)).toBe(KEY);
  });

  it.each([`${KEY} 08D7B5`, `${KEY} (000000)`, `${KEY}:1234`])(
    'with a KCV that does not fit is an error: %j',
    async (text) => {
      expect(await read(text)).toMatch(
        /^9015 --key-file: the KCV after the key is \w+, but .* KCV 08D7B4/,
      );
    },
  );

  it.each([`${KEY}${KCV}`, `${KEY.slice(1)}`, `${KEY} no`, `${KEY}0x`])(
    'is not guessed: %j',
    async (text) => {
      expect(await read(text)).not.toBe(KEY);
    },
  );
});
