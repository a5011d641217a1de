import {describe, expect, it} from 'vitest';
import {TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {Trace} from '../../../src/engine/trace.js';
import {answer} from '../samples.js';
import {encrypt} from '../terminal.js';

const KSN = 'FFFF9876543210E00001';
const TRACK = ';4012888888881881=28012010000000000?';
const CIPHERTEXT = encrypt(TRACK, {ksn: KSN}).toString('hex');

/** The meanings and sensitivities of a payload's parts. */
function partsOf(deviceType: 'generic' | 'wisepad', payload: string) {
  const trace = new Trace();
  readPayload(TERMINALS[deviceType], payload, trace);
  return trace.parts.map(({name, meaning, sensitivity}) => ({name, meaning, sensitivity}));
}

describe.each(['constructor', 'toString', 'valueOf'])('a member called %s', (name) => {
  it('has no meaning in a generic payload', () => {
    const payload = JSON.stringify({ksn: KSN, track2: CIPHERTEXT, [name]: 'x'});
    const part = partsOf('generic', payload).find((each) => each.name === name);
    expect(part).toEqual({name, meaning: undefined, sensitivity: undefined});
  });

  it('is any value of a generic payload', () => {
    const devicePayload = JSON.stringify({ksn: KSN, encrypted: [{name, value: CIPHERTEXT}]});
    expect(answer({deviceType: 'generic', devicePayload})).toMatchObject({
      response: {track2: {ascii: TRACK}},
    });
  });

  it('could hold anything in a dictionary of WisePad', () => {
    const payload = JSON.stringify({ksn: KSN, encTrack2: CIPHERTEXT, [name]: 'x'});
    const part = partsOf('wisepad', payload).find((each) => each.name === name);
    expect(part).toEqual({name, meaning: 'unknown member', sensitivity: 'card'});
  });

  it('is refused in a TVP text: 2100', () => {
    const devicePayload = `TVP|ksn:${KSN}|${name}:x|vipa:${CIPHERTEXT}`;
    expect(answer({deviceType: 'verifone', devicePayload})).toMatchObject({errCode: 2100});
  });
});
