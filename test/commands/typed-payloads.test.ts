import {describe, expect, it} from 'vitest';
import {runCommand} from '../cli/run-command.js';
import {enhanced, track} from '../engine/families/idtech-frames.js';

const FRAME = enhanced({
  tracks: [
    track('%B4012888888881881^SAMPLE/CARD^28012010000000000000?'),
    track(';4012888888881881=28012010000000000000?'),
  ],
  form: 'keyboard',
});

/** The characters of the frame that a German layout changes. */
const GERMAN: Readonly<Record<string, string>> = {
  '^': '&',
  '*': '(',
  '/': '-',
  ';': 'ö',
  '=': '´',
  '?': '_',
};
const TYPED = FRAME.replaceAll(/[\^*/;=?]/g, (one) => GERMAN[one] ?? one);

describe('a payload that went through another keyboard layout', () => {
  it('opens in diagnose, which names the layout', async () => {
    const {stdout} = await runCommand('diagnose', ['--payload', TYPED, '--test-keys', '--json']);
    const {solved, verdicts} = JSON.parse(stdout);
    expect(solved).toBe(true);
    expect(verdicts).toContainEqual(expect.objectContaining({label: 'keyboard-layout'}));
  });
});
