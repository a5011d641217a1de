import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {clearTracks} from '../../src/engine/card/is-clear-card.js';
import {KNOWN_TERMINALS, TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {recognise} from '../../src/engine/recognise.js';
import {decrypt, inspect} from '../../src/index.js';
import {readPaste} from '../../src/input/paste/read-paste.js';
import {answer} from './samples.js';

const T1 = 'B4012888888881881^TEST/CARD^28012011234567';
const T2 = '4012888888881881=28012011234';
const OTHER = '4111111111111111=28012011234';

const CLEAR = [
  ...[T1, T2, `%${T1}?`, `;${T2}?`, `+${T2}?`],
  ...[`${T1}\n${T2}`, `${T1}\r\n${T2}\r\n`, `${T2}\n${T1}`, ` ${T1}\n\n ${T2}`],
  ...[`%${T1}?;${T2}?`, `%${T1}?\n;${T2}?`, `;${T2}?%${T1}?`, `%${T1}?;${T2}?+${T2}?`],
  ...[`%E?;${T2}?`, `%${T1}?;E?`, `%E?;${T2}?+E?`],
  ...[`${T2}\n${T2}`, `${T2}\n${OTHER}`, `%${T1}?;${OTHER}?`, `;${T2}?;${OTHER}?`],
  ...[`track1: ${T1}\ntrack2: ${T2}`, `track1=${T1}\ntrack2=${T2}`, `trilha2: ${T2}`],
  // Without its check digit: an encrypted card number that is digits alone looks the same.
  'B3583272001672245097^TEST/CARD^441122\n3583272001672245097=441122',
];

/** The text of one track is in clear for every terminal that may have sent it. */
describe('clear tracks in place of a payload are refused as clear', () => {
  it.each(TERMINAL_TYPES)('as %s', (deviceType) => {
    for (const devicePayload of [`%${T1}?`, `;${T2}?`, `%${T1}?;${T2}?`, `${T1}\n${T2}`]) {
      expect(answer({deviceType, devicePayload})).toMatchObject({errCode: 2110});
    }
  });

  it.each(CLEAR)('without a terminal: %j', (payload) => {
    expect(recognise(payload, KNOWN_TERMINALS)).toEqual(['generic']);
    expect(codeOf(() => decrypt(payload, {testKeys: true}))).toBe(2110);
    expect(inspect(payload).error?.code).toBe(2110);
    expect(readPaste(payload)).toBeUndefined();
  });

  it.each([
    ...['4012888888881881', `${T1}\nof a customer`, `${T2}\nksn=FFFF9876543210E00001`],
    ...[`${T2}\n{}`, '%E?;E?', '', 'B4012888888881881', `x ${T1}`, `${T1}\n1234=5`],
  ])('and no other text is: %j', (text) => {
    expect(clearTracks(text)).toEqual([]);
  });
});

function codeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

it('is no cleartext track for the masked copies before its ciphertext: 2100', () => {
  // A MagneSafe string without its KSN: masked with zeros (docs/terminals/magtek.md), then track 1.
  const copies = '%B4111000010001111^TEST/CARD^281200000000?;4111000010001111=281200000000?';
  const devicePayload = `${copies}|0600|F0CD5B1039804000EC7879A8F8229B1D5486EC52FB26B6CD`;
  for (const deviceType of ['generic', 'ingenico-rba'] as const) {
    expect(answer({deviceType, devicePayload})).toMatchObject({errCode: 2100});
    expect(answer({deviceType, devicePayload: copies})).toMatchObject({errCode: 2110});
  }
});
