import {readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {decrypt} from '../../src/library/decrypt.js';
import {decryptWith} from '../../src/library/decrypt-with.js';
import {FamilyTerminal} from '../../src/library/family-terminal.js';
import {readSamples, type Sample} from '../engine/samples.js';

const FAMILIES = new Map(
  KNOWN_TERMINALS.all.map((terminal) => [terminal.type, new FamilyTerminal(terminal)]),
);
const SAMPLES = readdirSync('test/samples')
  .filter((file) => file !== 'extras.json')
  .flatMap((file) => readSamples(file.replace('.json', '')));

function optionsOf({request, keys}: Sample) {
  const {deviceType, devicePayload, ksn, iv, deviceSerial} = request;
  const ring = keys.map(({kind, hex, ksnPrefix}) =>
    kind === 'bdk' ? {bdk: hex, ksnPrefix} : {ik: hex, ksnPrefix},
  );
  return {devicePayload, options: {deviceType, ksn, iv, deviceSerial, keys: ring}};
}

/** The terminal of a type. */
function family(type: string): FamilyTerminal {
  const found = FAMILIES.get(type);
  if (found === undefined) throw new Error(`no terminal ${type}`);
  return found;
}

function codeOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

describe('decrypt of paylens/decrypt', () => {
  it.each(SAMPLES.map((sample) => [sample.id, sample] as const))(
    'answers like decrypt of paylens: %s',
    (_, sample) => {
      const {devicePayload, options} = optionsOf(sample);
      const terminals = [family(sample.request.deviceType)];
      const answer = codeOf(() => decryptWith(devicePayload, {...options, terminals}));
      expect(answer).toEqual(codeOf(() => decrypt(devicePayload, options)));
      if (sample.expect.errCode !== undefined) expect(answer).toBe(sample.expect.errCode);
    },
  );

  it('recognises payloads of the given terminals only', () => {
    const [sample] = readSamples('miura');
    const {devicePayload, options} = optionsOf(sample as Sample);
    const given = {keys: options.keys, terminals: [family('idtech'), family('miura')]};
    expect(decryptWith(devicePayload, given).meta.device).toBe('MIURA');
    const others = {...given, terminals: [family('idtech')]};
    expect(codeOf(() => decryptWith(devicePayload, others))).toBe(2100);
    const named = {...others, deviceType: 'miura'};
    expect(codeOf(() => decryptWith(devicePayload, named))).toBe(2001);
  });

  it.each([
    ['nothing', undefined],
    ['an empty array', []],
    ['one that is no array', family('idtech')],
    ['what only looks like one', [{type: 'idtech', read: () => ({})}]],
    ['a proxy of one', [new Proxy(family('idtech'), {})]],
    ['a hole', new Array(1)],
    ['one twice', [family('idtech'), family('idtech')]],
  ])('refuses %s as terminals', (_, terminals) => {
    const options = {terminals: terminals as readonly FamilyTerminal[], testKeys: true};
    expect(() => decryptWith('02', options)).toThrow(
      expect.objectContaining({code: 2005, detail: expect.stringMatching(/^terminals/)}),
    );
  });
});
