import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {recognise} from '../../engine/recognise.js';
import {bytesFromHex} from '../../platform/bytes.js';
import {nearlyAll} from '../anchors/byte-anchors.js';
import {withoutBlanks} from './choose.js';
import {judge} from './judge.js';

/** Every part is tried by all readers: none sends a read that is half as long. */
const MAX_CHARS = 8192;

/**
 * The payload in hex that has a few bytes around it, as a link or a log adds them, and where it is: the
 * longest part that is a payload of terminals to which the whole is none, not even a damaged one.
 */
export function amongBytes(
  text: string,
  deviceType?: string,
  terminals: TerminalSet = KNOWN_TERMINALS,
): {readonly payload: string; readonly note: string} | undefined {
  const hex = text.length > MAX_CHARS ? '' : withoutBlanks(text);
  const bytes = bytesFromHex(hex);
  if (!bytes || bytes.length === 0) return undefined;
  // What is inside a damaged payload was not sent by itself.
  const isDamaged = judge(hex, deviceType, terminals) === 'damaged';
  const isNone = (type: string) => judge(hex, type, terminals) === 'none';
  const isWhole = (part: string, type: string) => judge(part, type, terminals) === 'intact';
  for (const {from, to} of nearlyAll(bytes)) {
    if (isDamaged && from > 0) continue;
    const payload = hex.slice(2 * from, 2 * to);
    const types = deviceType === undefined ? recognise(payload, terminals) : [deviceType];
    const isSent = types.some((type) => isWhole(payload, type));
    if (!isSent || (from > 0 && !types.every(isNone))) continue;
    return {payload, note: `Payload read as bytes ${from} to ${to - 1} of ${bytes.length}.`};
  }
  return undefined;
}
