import type {TerminalType} from '../../engine/devices/registry.js';
import {upperHexOf} from '../../platform/bytes.js';

/**
 * What stands behind STX in hex: at ID TECH a length below 2048, low byte first, and an encode type;
 * at RBA the number of the message.
 */
const BEHIND_STX: Readonly<Partial<Record<TerminalType | 'magtek', RegExp>>> = {
  idtech: /^..0[0-7](?:0[013]|8[0135]|C0)/i,
  'ingenico-rba': /^3\d3\d2E/i,
};

/** Whether a text goes on behind STX as frames of this reader do: ciphertext may begin with 02, too. */
export function goesOnAsFrame(type: TerminalType | 'magtek', text: string): boolean {
  const sign = BEHIND_STX[type];
  const digits = digitsBehindStx(text);
  return sign === undefined || digits === undefined || sign.test(digits);
}

function digitsBehindStx(text: string): string | undefined {
  if (text.startsWith('\x02')) return upperHexOf(Buffer.from(text.slice(1, 5), 'latin1'));
  const compact = text.replaceAll(/\s/g, '');
  return compact.startsWith('02') ? compact.slice(2) : undefined;
}
