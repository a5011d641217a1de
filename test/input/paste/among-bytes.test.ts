import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {amongBytes} from '../../../src/input/paste/among-bytes.js';
import {judge, mayBePaste} from '../../../src/input/paste/judge.js';
import {readPaste} from '../../../src/input/paste/read-paste.js';
import {readSamples} from '../../engine/samples.js';
import {IS_LONG} from '../../long.js';

/** Payloads of TLV objects, which a reader recognises as they are, with the type of their terminal. */
const PAYLOADS = TERMINAL_TYPES.flatMap((type) =>
  readSamples(type)
    .map(({request}) => ({type, payload: request.devicePayload.toUpperCase()}))
    .filter(({payload}) => /^(?:E|D|F|5|9|4|8|C)[\dA-F]{80,}$/.test(payload))
    .filter(({payload}) => judge(payload, type) === 'intact')
    .slice(0, IS_LONG ? undefined : 4),
);

const AROUND: Readonly<Record<string, (hex: string) => string>> = {
  'two bytes before': (hex) => `A1B2${hex}`,
  'link bytes': (hex) => `0000${(hex.length / 2).toString(16).padStart(4, '0')}${hex}`,
  'a line end behind': (hex) => `${hex}0D0A`,
  'a status word behind': (hex) => `${hex}9000`,
  'both sides': (hex) => `A1B2${hex}9000`,
};

describe('a TLV payload with', () => {
  it.each(Object.entries(AROUND))('%s is read as without', (_, around) => {
    expect(PAYLOADS.length).toBeGreaterThan(8);
    for (const {type, payload} of PAYLOADS) {
      const text = around(payload);
      // MagTek sends two bytes of length before it: other bytes say that the end is missing.
      if (type === 'magtek' && judge(text, type) === 'cut') continue;
      // A reader may allow some of it itself: a status word, one byte before.
      const found = mayBePaste(text, type) ? readPaste(text, type)?.payload : text;
      expect(found).toContain(payload);
      expect(judge(`${found}`, type)).toBe('intact');
    }
  });
});

describe('a payload that lost bytes', () => {
  it('at its end is no other one', () => {
    for (const {type, payload} of PAYLOADS)
      for (let lost = 2; lost <= 80; lost += IS_LONG ? 2 : 14) {
        const cut = payload.slice(0, -lost);
        if (/(?:0D0A|9000|0D|0A)$/.test(cut) || !mayBePaste(cut, type)) continue;
        expect([type, lost, readPaste(cut, type)?.payload]).toEqual([type, lost, undefined]);
      }
  });

  it('and is damaged otherwise is not what is inside', () => {
    const [frame = ''] = readSamples('idtech')
      .map(({request}) => request.devicePayload.toUpperCase())
      .filter((text) => /^02[\dA-F]+03$/.test(text) && judge(text) === 'intact');
    const wrong = frame.replace(/..03$/, 'EE03');
    expect(judge(wrong)).toBe('damaged');
    expect(amongBytes(`${wrong}`)).toBeUndefined();
  });
});
