import {describe, expect, it} from 'vitest';
import {DEVICE_TYPES, type DeviceType} from '../../../src/contract/device-types.js';
import {idtech} from '../../../src/engine/families/idtech/terminal.js';
import {FURTHER_TYPES, TERMINAL_TYPES, TERMINALS} from '../../../src/engine/families/registry.js';
import type {Terminal} from '../../../src/engine/families/terminal.js';
import {writerOf} from '../../../src/engine/families/terminal.js';

const {about: _about, ...withoutAbout} = idtech;
const {read: _read, ...withoutRead} = idtech;
const {recognises: _recognises, ...withoutRecognises} = idtech;
const {write: _write, ...readOnly} = idtech;

// Held by the compiler: each line below fails `npm run check` when it compiles.
// @ts-expect-error a terminal without what is told of it
withoutAbout satisfies Terminal;
// @ts-expect-error a terminal without a reader
withoutRead satisfies Terminal;
// @ts-expect-error a terminal that does not say what it recognises
withoutRecognises satisfies Terminal;
// @ts-expect-error a type that is no text
({...idtech, type: 7}) satisfies Terminal;
// @ts-expect-error what is told of a terminal is loaded when asked for
({...idtech, about: await idtech.about()}) satisfies Terminal;
// @ts-expect-error a misspelt type leaves one of the interface without its terminal
({...TERMINALS, idtech: undefined, idtehc: idtech}) satisfies Record<DeviceType, Terminal>;
// A terminal that can be read only is whole.
readOnly satisfies Terminal;

describe('the registry', () => {
  it('has every terminal of the interface, in its order', () => {
    const known: readonly string[] = DEVICE_TYPES;
    expect(TERMINAL_TYPES.filter((type) => known.includes(type))).toEqual(DEVICE_TYPES);
  });

  it('lists the terminals beyond the interface behind them', () => {
    expect(TERMINAL_TYPES).toEqual([...DEVICE_TYPES, ...FURTHER_TYPES]);
  });

  it('has no type twice', () => {
    expect(new Set(TERMINAL_TYPES).size).toBe(TERMINAL_TYPES.length);
  });

  it.each(TERMINAL_TYPES)('%s is found by its own type', (type) => {
    expect(TERMINALS[type].type).toBe(type);
  });

  it.each(TERMINAL_TYPES)('%s tells what it is and can be tried', async (type) => {
    const {title, trials} = await TERMINALS[type].about();
    expect(title).not.toBe('');
    const modes = TERMINALS[type].write ? (await writerOf(TERMINALS[type])).modes : [];
    expect(new Set(trials.map(({mode}) => mode))).toEqual(new Set(modes));
  });
});
