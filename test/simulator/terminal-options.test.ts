import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {PaylensError} from '../../src/contract/paylens-error.js';
import type {Mode} from '../../src/contract/process-payload.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../writers.js';

type Options = Readonly<Record<string, string>>;

interface Shape {
  readonly type: DeviceType;
  readonly mode: Mode;
  readonly options: Options;
  readonly iv?: string;
}

const IV = '0011223344556677';
const keys = testKeyRing();

/** Every value of one option, the others at their default. */
function each(type: DeviceType, mode: Mode, base: Options = {}, iv?: string): Shape[] {
  return writerOf(type).options.flatMap(({name, values}) =>
    values.map((value) => ({
      type,
      mode,
      options: {...base, [name]: value},
      ...(iv === undefined ? {} : {iv}),
    })),
  );
}

const DICTIONARY_FORMS = ['json', 'dump', 'labels', 'lines', 'query'];

/** These values of each option, one at a time. */
function rows(
  type: DeviceType,
  mode: Mode,
  options: Readonly<Record<string, readonly string[]>>,
  base: Options = {},
): Shape[] {
  return Object.entries(options).flatMap(([name, values]) =>
    values.map((value) => ({type, mode, options: {...base, [name]: value}})),
  );
}

const SHAPES: readonly Shape[] = [
  ...(['swiped', 'emv', 'keyed'] as const).flatMap((mode) => [
    ...each('miura', mode),
    ...each('verifone', mode),
    ...each('verifone', mode, {}, IV),
    ...['tvp', 'triple', 'base64', 'e07', 'message', 'blob'].flatMap((form) =>
      each('verifone', mode, {form}, IV),
    ),
  ]),
  ...rows('ingenico-rba', 'swiped', {
    message: ['23', '33', '41', '87', 'record'],
    variant: ['data', 'pin', 'data-plain'],
    form: ['text', 'hex'],
    frame: ['on', 'off'],
    separator: ['1C', '[FS]', '<FS>'],
  }),
  ...rows('ingenico-rba', 'emv', {message: ['23', '33', '41', '87', 'record']}),
  ...rows('ingenico-rba', 'keyed', {message: ['23', '41', '87', 'record']}),
  ...['60', '54'].flatMap((format) =>
    rows('wisepad', 'swiped', {form: DICTIONARY_FORMS, tracks: ['1', '2', '12']}, {format}),
  ),
  ...rows('wisepad', 'swiped', {form: ['tlv']}),
  ...rows('wisepad', 'keyed', {form: DICTIONARY_FORMS}),
  ...rows('wisepad', 'emv', {message: ['C2+C8', 'C2', 'C8', 'C5', 'C6']}),
  ...each('prima', 'swiped'),
  ...each('phressiapad', 'swiped'),
  {type: 'miura', mode: 'swiped', options: {tracks: '2'}},
  {type: 'prima', mode: 'swiped', options: {tracks: '2', hash: 'null'}},
  {type: 'verifone', mode: 'swiped', options: {tracks: '1'}},
  {type: 'phressiapad', mode: 'keyed', options: {form: 'vipa'}},
  {type: 'phressiapad', mode: 'emv', options: {form: 'vipa'}},
  {type: 'phressiapad', mode: 'keyed', options: {form: 'idtech'}},
];

/** PANs of 12, 16 and 19 digits, and one with blanks. */
const CARDS = TEST_CARDS.filter(({id}) =>
  ['visa', 'maestro-12', 'unionpay-19', 'amex-blanks'].includes(id),
);

describe('what a terminal sends under each of its settings gives the card back:', () => {
  it.each(SHAPES)('$type, $mode, $options, IV $iv', ({type, mode, options, iv}) => {
    for (const card of CARDS) {
      const simulation = {deviceType: type, mode, options, card, keys, iv};
      const request = simulate({...simulation, ksn: 'FFFF9876543210E00001'});
      const {extracted, meta} = processPayload(request, keys);
      expect({card: card.id, PAN: extracted.PAN, mode: meta.mode}).toStrictEqual({
        card: card.id,
        PAN: card.pan,
        mode,
      });
    }
  });
});

describe('under AES DUKPT, a KSN of 12 bytes, the card comes back:', () => {
  const aesIv = IV + IV;
  it.each<Shape>([
    ...(['swiped', 'emv', 'keyed'] as const).flatMap((mode): Shape[] => [
      {type: 'miura', mode, options: {}},
      {type: 'verifone', mode, options: {}},
      {type: 'verifone', mode, options: {form: 'frames'}, iv: aesIv},
      {type: 'verifone', mode, options: {form: 'message'}, iv: aesIv},
    ]),
  ])('$type, $mode, $options, IV $iv', ({type, mode, options, iv}) => {
    for (const card of CARDS) {
      const simulation = {deviceType: type, mode, options, card, keys, iv};
      const request = simulate({...simulation, ksn: '123456789012345600000001'});
      expect(processPayload(request, keys).extracted.PAN).toBe(card.pan);
    }
  });
});

describe('what a terminal cannot send is refused (9001):', () => {
  it.each<Shape>([
    {type: 'miura', mode: 'swiped', options: {}, iv: IV},
    {type: 'miura', mode: 'swiped', options: {form: 'text'}},
    {type: 'prima', mode: 'swiped', options: {}, iv: IV},
    {type: 'prima', mode: 'emv', options: {}},
    {type: 'verifone', mode: 'swiped', options: {sentinels: 'off'}},
    {type: 'phressiapad', mode: 'emv', options: {form: 'idtech'}},
    {type: 'phressiapad', mode: 'keyed', options: {form: 'prima'}},
    {type: 'phressiapad', mode: 'swiped', options: {form: 'magtek'}, iv: IV},
  ])('$type, $mode, $options, IV $iv', ({type, mode, options, iv}) => {
    const [card] = TEST_CARDS;
    if (!card) throw new Error('no test card');
    const simulation = {deviceType: type, mode, options, card, keys, iv};
    const run = () => simulate({...simulation, ksn: 'FFFF9876543210E00001'});
    expect(run).toThrow(PaylensError);
    expect(run).toThrow(expect.objectContaining({code: 9001}));
  });
});
