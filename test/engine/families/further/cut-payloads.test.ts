import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../../src/contract/paylens-error.js';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {
  FURTHER_TYPES,
  KNOWN_TERMINALS,
  type TerminalType,
} from '../../../../src/engine/families/registry.js';
import {recogniseOne} from '../../../../src/engine/recognise.js';
import {TEST_CARDS, type TestCard} from '../../../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../../../writers.js';
import {answer} from '../../samples.js';

/** Payloads without their end, of which nobody says whose they are. */

const card = TEST_CARDS.find(({id}) => id === 'visa') as TestCard;
const keys = testKeyRing();

function payloadsOf(deviceType: TerminalType): string[] {
  const {modes, options} = writerOf(deviceType);
  const settings = [
    {},
    ...options.flatMap(({name, values}) => values.map((one) => ({[name]: one}))),
  ];
  const all = modes.flatMap((mode) =>
    settings.flatMap((setting) => {
      try {
        const given = {deviceType, mode, card, keys, options: setting};
        return [simulate({...given, ksn: 'FFFF9876543210E00001'}).devicePayload];
      } catch (error) {
        if (error instanceof PaylensError) return [];
        throw error;
      }
    }),
  );
  return [...new Set(all)];
}

/**
 * What tells a family wherever it stands; in hex, a whole tag in its place. Reports of MagTek and
 * bare values have no sign.
 */
const SIGNS: Readonly<Partial<Record<TerminalType, RegExp>>> = {
  magtek:
    /^(?:0~IPAD\w*\||M001\||AA008104|%[^|]*\|[\dA-F]{4}\||(?:[\dA-F]{4})?F9[\dA-F]{2,80}DFDF(?:25|54)|F[AD][\dA-F]{2,40}DFDF(?:25|37|50)|020303[\dA-F]{4,60}DFDF(?:25|54))|Card Encode Type|Track1\.Encrypted/,
  ifsf: /(?:^|[{",\n])(?:de|DE-|S-)?127["]?:/,
  nexo: /PrtctdCardData|ProtectedCardData|EnvlpdData|"p2pe":.*"keySerialNumber"|"encryptedData":.*"DUKPT2009"/,
  dspread: /trackksn|Track KSN|C708[\dA-F]{16}.*C00A[\dA-F]{20}|C00A[\dA-F]{20}/i,
  newland: /poiType["]?: ?"?newland/,
  bbpos: /poiType["]?: ?"?bbpos/,
  poynt: /0x1F8102/,
  spire: /thor-posmate/,
  abecs:
    /SPE_MTHDDAT"|PP_(?:TRACK[123]|ENCPAN)"|^(?:47544B303030|00030002|804[1-9A-C]00..)|[A-F][\dA-F]{8,15}(?:=\d{7}|\^[^^]+\^\d{4})/,
};

const STEP = 9;

/** The beginnings of a payload that have its sign. */
function beginnings(payload: string, sign: RegExp): string[] {
  const all: string[] = [];
  for (let length = 6; length < payload.length; length += STEP) {
    const cut = payload.slice(0, length);
    if (sign.test(cut)) all.push(cut);
  }
  return all;
}

function told(payload: string): string {
  try {
    return recogniseOne(payload, KNOWN_TERMINALS);
  } catch (error) {
    if (error instanceof PaylensError) return `${error.code} ${error.detail}`;
    throw error;
  }
}

describe('a payload without its end', () => {
  it.each(FURTHER_TYPES.flatMap((type) => (SIGNS[type] ? [[type, SIGNS[type]] as const] : [])))(
    'of %s is named by its sign',
    (type, sign) => {
      const cuts = payloadsOf(type).flatMap((payload) => beginnings(payload, sign));
      expect(cuts.length).toBeGreaterThanOrEqual(12);
      const wrong = cuts.filter((cut) => !told(cut).split('-or-').includes(type));
      expect([wrong.length, wrong[0], told(wrong[0] ?? '')]).toEqual([0, undefined, told('')]);
    },
  );

  it.each(FURTHER_TYPES.flatMap((type) => (SIGNS[type] ? [[type, SIGNS[type]] as const] : [])))(
    'of %s opens no card that the whole does not have',
    (deviceType, sign) => {
      const cuts = payloadsOf(deviceType).flatMap((payload) => beginnings(payload, sign));
      const pans = cuts.flatMap((devicePayload) => {
        const ksn = 'FFFF9876543210E00001';
        return answer({deviceType, devicePayload, ksn}).response?.extracted.PAN ?? [];
      });
      expect(new Set([...pans, card.pan.replaceAll(' ', '')]).size).toBe(1);
    },
  );
});
