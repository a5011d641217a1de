import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {PaylensError, simulate} from '../../src/index.js';
import {type ExplorationOrder, explore} from '../../src/page/model/explore.js';
import {
  fragmentOf,
  isCardBeside,
  isPublished,
  linkedBy,
  linkedOf,
} from '../../src/page/model/link.js';

const KEYS = {testKeys: true, typed: ''};
const KSN = 'FFFF9876543210E00042';
/** Nobody published it. */
const OTHER_CARD = ['4539', '5787', '6362', '1486'].join('');
const MODES = ['swiped', 'emv', 'keyed'] as const;

const explored = (text: string, rows: Partial<ExplorationOrder> = {}) =>
  explore({text, terminal: undefined, keys: KEYS, ...rows});
const sample = (name: string) =>
  JSON.parse(readFileSync(`samples/${name}.json`, 'utf8')) as Record<string, string>;

describe('isPublished', () => {
  it.each(TERMINAL_TYPES.flatMap((deviceType) => MODES.map((mode) => [deviceType, mode] as const)))(
    'lets a simulated read of %s, %s, with a test card be linked',
    async (deviceType, mode) => {
      const given = {deviceType, mode, card: 'visa', ksn: KSN, testKeys: true};
      const request = await simulate(given).catch((error: unknown) => error as PaylensError);
      if (request instanceof PaylensError) return expect(request.code).toBe(2005);
      const exploration = explored(JSON.stringify({ksn: KSN, ...request}));
      const isClosed = deviceType === 'ingenico-ra1';
      expect(exploration.failure?.code).toBe(isClosed ? 2111 : undefined);
      expect(isPublished(exploration)).toBe(!isClosed);
    },
  );

  it.each(['generic-tracks', 'newland-track', 'spire-request'])(
    'refuses another card number beside that of %s, in each notation',
    (name) => {
      const {devicePayload = '', ...request} = sample(name);
      const beside = (note: string) =>
        explored(
          JSON.stringify({
            ...request,
            devicePayload: devicePayload.replace('{', `{"note":"${note}",`),
          }),
        );
      const hex = Buffer.from(OTHER_CARD).toString('hex');
      const base64 = Buffer.from(`card ${OTHER_CARD}`).toString('base64');
      for (const note of [OTHER_CARD, `PAN=${OTHER_CARD}`, hex, base64]) {
        expect(beside(note).opened).toBeDefined();
        expect(isPublished(beside(note))).toBe(false);
      }
      for (const note of ['of today', '4111111111111111'])
        expect(isPublished(beside(note))).toBe(true);
    },
  );
});

it.each(['ksn', 'iv', 'deviceSerial'])('finds a card number in the place of %s', (member) => {
  const text = (value: string) => JSON.stringify({...sample('idtech-swipe'), [member]: value});
  expect(isCardBeside(explored(text(OTHER_CARD)))).toBe(true);
  expect(isCardBeside(explored(text('62994901190000')))).toBe(false);
});

it('links a read with the variant that was chosen for it', () => {
  const {devicePayload = '', ...request} = sample('generic-tracks');
  const mistaken = {...JSON.parse(devicePayload), variant: 'pin'};
  const text = JSON.stringify({...request, devicePayload: JSON.stringify(mistaken)});
  expect(explored(text).opened).toBeUndefined();
  const corrected = explored(text, {variant: 'data'});
  const linked = linkedBy(fragmentOf(linkedOf(corrected)));
  const {payload = '', ...rows} = linked ?? {};
  const reopened = explored(payload, rows);
  expect(reopened.opened?.result).toEqual(corrected.opened?.result);
  expect(isPublished(reopened)).toBe(true);
});
