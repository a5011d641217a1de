import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {runCommand} from '../cli/run-command.js';

const SWIPE = fileURLToPath(new URL('../../samples/idtech-swipe.json', import.meta.url));
const PAYLOAD: string = JSON.parse(readFileSync(SWIPE, 'utf8')).devicePayload;

async function inspectJson(...argv: string[]) {
  const {stdout, stderr, exitCode} = await runCommand('inspect', [...argv, '--json']);
  return {body: JSON.parse(stdout), stderr, exitCode};
}

describe('inspect', () => {
  it('names every byte: parts follow each other without a gap', async () => {
    const {body} = await inspectJson(SWIPE);
    let end = 0;
    for (const {offset, length} of body.parts) {
      expect(offset).toBe(end);
      end = offset + length;
    }
    expect(end).toBe(PAYLOAD.length / 2);
  });

  it('gives type, form, unit, parts, checks and ciphertexts as JSON', async () => {
    const {body, stderr, exitCode} = await inspectJson(SWIPE);
    expect({keys: Object.keys(body), deviceType: body.deviceType, stderr, exitCode}).toEqual({
      keys: ['deviceType', 'form', 'encrypted', 'unit', 'parts', 'checks'],
      deviceType: 'idtech',
      stderr: '',
      exitCode: 0,
    });
  });

  it('says of each ciphertext where it is and what opens it', async () => {
    const {body} = await inspectJson(SWIPE);
    expect(body.encrypted[0]).toMatchObject({
      name: expect.stringContaining('track 1'),
      length: 72,
      ksn: '62994901190000000003',
      setting: {algorithm: 'tdes', mode: 'cbc', variant: 'data', selfEncrypted: true},
    });
  });

  it('shows checks with ticks', async () => {
    const {stdout} = await runCommand('inspect', [SWIPE]);
    expect(stdout).toMatch(/LRC.*✓/);
  });

  it('shows a check that does not hold with a cross, and then the error', async () => {
    const damaged = PAYLOAD.replace(/769A03$/, '779A03');
    const {stdout, stderr, exitCode} = await runCommand('inspect', [
      '--device-type',
      'idtech',
      '--payload',
      damaged,
    ]);
    expect({cross: /LRC.*✗/.test(stdout), error: stderr.slice(0, 11), exitCode}).toEqual({
      cross: true,
      error: 'Error 2101:',
      exitCode: 4,
    });
  });

  it.each([50, 200, 600])(
    'shows the parts before the cut of a payload of %i digits',
    async (digits) => {
      const argv = ['--device-type', 'idtech', '--payload', PAYLOAD.slice(0, digits)];
      const {body, exitCode} = await inspectJson(...argv);
      expect({success: body.success, some: body.parts.length > 0, exitCode}).toEqual({
        success: false,
        some: true,
        exitCode: 4,
      });
    },
  );

  it('says of what it could not read where that is', async () => {
    const argv = ['--device-type', 'prima', '--payload', '001B3224002542353431352A'];
    const {body} = await inspectJson(...argv);
    expect(body.parts.at(-1)).toEqual({
      offset: 5,
      length: 7,
      depth: 0,
      name: 'not read',
      value: '',
    });
  });

  describe('with a track in clear', () => {
    const track = ';4761739001010010=28052011000009500000?';
    const hex = Buffer.from(track).toString('hex').toUpperCase();
    const inspect = (tag: string, ...argv: string[]) =>
      runCommand('inspect', [
        '--device-type',
        'idtech',
        '--payload',
        `9C0100${tag}27${hex}`,
        ...argv,
      ]);

    // A magnetic stripe tag, the joined tracks, a tag that nobody knows.
    for (const tag of ['DFEF18', 'DFEF4C06002700000000DFEF4D', 'DFEF7D']) {
      it.each([[], ['--json']])(`shows none of it in ${tag.slice(-6)} %s`, async (...format) => {
        const {stdout} = await inspect(tag, ...format);
        expect(stdout).toContain(tag.slice(-6));
        expect(stdout).not.toMatch(/4761739001010010|34373631373339303031|28052011/);
      });

      it(`shows it in ${tag.slice(-6)} with --reveal`, async () => {
        expect((await inspect(tag, '--json', '--reveal')).stdout).toContain(track);
      });
    }
  });

  // EMV Book 3, Annexes C5 and C1.
  it('tells EMV values in words, all bits in JSON and those that are set in the table', async () => {
    const argv = ['--device-type', 'miura', '--payload', 'E40B9505008000000082020100'];
    const {body} = await inspectJson(...argv);
    const tvr = body.parts.find(({name}: {name: string}) => name.startsWith('95 '));
    expect(tvr.words).toHaveLength(27);
    expect(tvr.words.filter(({isSet}: {isSet: boolean}) => isSet)).toEqual([
      {name: 'byte 2 bit 8', meaning: expect.stringContaining('versions'), isSet: true},
    ]);
    const {stdout} = await runCommand('inspect', argv);
    expect(stdout).toContain('byte 1 bit 1\t\tCDA supported');
    expect(stdout).not.toContain('expired application');
    expect(stdout.match(/byte 2 bit/g)).toHaveLength(1);
  });

  it('needs no key and no keyfile', async () => {
    expect((await runCommand('inspect', [SWIPE])).exitCode).toBe(0);
  });
});
