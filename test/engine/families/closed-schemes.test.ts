import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {
  FURTHER_TYPES,
  TERMINAL_TYPES,
  type TerminalType,
} from '../../../src/engine/families/registry.js';
import {TEST_CARDS, type TestCard} from '../../../src/simulator/test-cards.js';
import {simulate} from '../../writers.js';
import {answer, testRing} from '../samples.js';
import {tlv} from '../terminal.js';

/** Schemes that only their vendors decrypt, in every terminal whose messages tell them. */

const KSN = 'FFFF9876543210E00001';
const card = TEST_CARDS[0] as TestCard;

function written(deviceType: TerminalType, options: Record<string, string>): string {
  const given = {deviceType, card, ksn: KSN, keys: testKeyRing(), options};
  return simulate({...given, mode: 'swiped'}).devicePayload;
}

/** The response of a terminal that states an encryption type, with `text` inside its blob. */
function e07(type: string, text = ''): string {
  const blob = Buffer.concat([tlv('DF9001', '0001'), tlv('DF9010', Buffer.from(text))]);
  return `E0700${type}\x1c01\x1c${blob.toString('base64')}`;
}

/** A swipe frame whose optional byte says that TransArmor encrypted it. */
function transArmorFrame(): string {
  const body = Buffer.concat([
    Buffer.from([0x80, 0x5f, 0, 40, 0, 0, 0x82, 1, 0x02]),
    Buffer.alloc(344, 0x41),
    Buffer.from('TRANSARMOR1', 'latin1'),
  ]);
  const lrc = body.reduce((xor, byte) => xor ^ byte, 0);
  const sum = body.reduce((total, byte) => (total + byte) & 255, 0);
  const head = Buffer.from([0x02, body.length & 255, body.length >> 8]);
  return Buffer.concat([head, body, Buffer.from([lrc, sum, 0x03])]).toString('hex');
}

const rba41 = (type: number) =>
  `41.M\x1c${type}\x1c0\x1c0\x1c0\x1c\x1c\x1cABCDEF\x1c\x1c\x1c\x1c\x1c`;
const gateway = (format: string) =>
  JSON.stringify({
    EncryptedFormat: format,
    SecurePaymentAccountData: 'AB'.repeat(40),
    EncryptionKeyId: KSN,
  });

const CASES: readonly (readonly [TerminalType, name: string, payload: string])[] = [
  ['idtech', 'TransArmor', transArmorFrame()],
  ['verifone', 'VSP', e07('01')],
  ['verifone', 'VSP', e07('05', 'eParms')],
  ['verifone', 'PKI', e07('02')],
  ['verifone', 'TransArmor', e07('05', 'TRANSARMOR')],
  ['verifone', 'Voltage', e07('05', 'VOLTAGE')],
  ['ingenico-ra1', 'On-Guard', written('ingenico-ra1', {})],
  ['ingenico-rba', 'On-Guard', written('ingenico-rba', {scheme: 'onguard', message: '87'})],
  ['ingenico-rba', 'On-Guard', rba41(2)],
  ['ingenico-rba', 'Voltage', '33.050011\x1cTFF20:04:h01020304'],
  ['magtek', 'On-Guard', gateway('3')],
];

describe('a closed scheme', () => {
  it.each(CASES)('in a message of %s is refused with the name %s', (deviceType, name, payload) => {
    const {errCode, message} = answer({deviceType, devicePayload: payload}, testRing());
    expect({errCode, message}).toEqual({errCode: 2111, message: expect.stringContaining(name)});
  });

  it('is none of the terminals whose messages cannot tell it', () => {
    const told = new Set(CASES.map(([type]) => type));
    const silent = TERMINAL_TYPES.filter(
      (type) => !told.has(type) && !FURTHER_TYPES.includes(type),
    );
    expect(silent).toEqual([
      ...['generic', 'miura', 'prima', 'wisepad', 'wisepad2', 'phressiapad'],
    ]);
  });
});
