import {describe, expect, it} from 'vitest';
import {findCard} from '../../cli/card-spellings.js';
import {runCommand} from '../../cli/run-command.js';

/** MagTek's published track 2 under the PIN variant (MagneSafe V5 manual). */
const TRACK2 = '724C5DB7D6F901C7F0FEAE7908801093B3DBFE51CCF6D483E789D7D2C007D539499BAADCC8D16CA2';
const INSIDE = '5452300551227189';
const KSN = 'FFFF9876543210E00008';
const CARD = '4761739001010010';
const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();

/** What is given beside the ciphertext, with a card in it. */
const GIVEN: Readonly<Record<string, string>> = {
  'a member of a payload': json({ksn: KSN, track2: TRACK2, variant: 'pin', note: CARD}),
  'hex in a member': json({ksn: KSN, track2: TRACK2, variant: 'pin', note: hex(CARD)}),
  'the name of a member': json({ksn: KSN, track2: TRACK2, variant: 'pin', [CARD]: 'x'}),
  'the name of a ciphertext': json({ciphertexts: [{name: CARD, hex: TRACK2}], ksn: KSN}),
  'text around a ciphertext': `card ${CARD}, ksn=${KSN}, data=${TRACK2}`,
  'a clear track': `;${CARD}=25121011234567890?`,
  'the PAN of a case': json({ciphertexts: [{name: 'x', hex: TRACK2}], ksn: KSN, pan: CARD}),
};

describe('diagnose shows no card of', () => {
  for (const [name, given] of Object.entries(GIVEN)) {
    it.each([[], ['--json']])(`${name} %s`, async (...format) => {
      const {stdout, stderr} = await runCommand('diagnose', [given, '--test-keys', ...format]);
      expect(stdout + stderr).not.toBe('');
      expect([CARD, INSIDE].map((card) => findCard(stdout + stderr, card))).toEqual([
        undefined,
        undefined,
      ]);
    });
  }
});

describe('the next command', () => {
  const given = GIVEN['a member of a payload'] ?? '';

  it('leaves out a payload that holds a card', async () => {
    const {stdout} = await runCommand('diagnose', [given, '--test-keys', '--json']);
    expect(JSON.parse(stdout).next).toBe('paylens decrypt --device-type generic - --test-keys');
  });

  it('has it with --reveal', async () => {
    const {stdout} = await runCommand('diagnose', [given, '--test-keys', '--json', '--reveal']);
    expect(JSON.parse(stdout).next).toContain(CARD);
  });

  it('has a payload whose copy is masked with zeros', async () => {
    const masked = json({
      ksn: KSN,
      track2: TRACK2,
      variant: 'pin',
      note: ';5452000000007189=0804?',
    });
    const {stdout} = await runCommand('diagnose', [masked, '--test-keys', '--json']);
    expect(JSON.parse(stdout).next).toContain('5452000000007189');
  });
});

function json(value: object): string {
  return JSON.stringify(value);
}
