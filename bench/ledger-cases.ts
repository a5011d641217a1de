import {readFileSync} from 'node:fs';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {
  TERMINAL_TYPES,
  TERMINALS,
  type TerminalRequest,
  type TerminalType,
} from '../src/engine/families/registry.js';
import {writerOf} from '../src/engine/families/terminal.js';
import {processPayload} from '../src/engine/process-payload.js';
import type {DiagnosisCase} from '../src/input/case.js';
import {simulate} from '../src/simulator/simulate.js';
import {TEST_CARDS} from '../src/simulator/test-cards.js';
import {nodeTransactionKey, nodeWorkingKey, tdesCbc} from './node-tdes-dukpt.js';

/** What the ledger measures: one read of every terminal, and cases of `diagnose`, always the same. */

const KSN = 'FFFF9876543210E00051';
/** Drawn once; published nowhere, so that no search knows it. */
const OWN_BDK = '3B1E5C7092A4D6F8E1C3A5978B6D4F20';
const TRACK2 = ';4111111111111111=30122010000000000?';

/** A read of each terminal by its type that the published test keys open. */
export async function readsByTerminal(root: URL): Promise<Map<string, TerminalRequest>> {
  const published = JSON.parse(
    readFileSync(new URL('docs/samples/published-reads.json', root), 'utf8'),
  ).reads as readonly TerminalRequest[];
  const reads = new Map<string, TerminalRequest>();
  for (const deviceType of TERMINAL_TYPES) {
    const others = published.filter((one) => one.deviceType === deviceType);
    const read = [...(await simulated(deviceType)), ...others].find(opens);
    // Of one terminal, no read is published that a key of ours opens.
    if (!read) continue;
    const {devicePayload, deviceSerial, ksn, iv} = read;
    reads.set(deviceType, {deviceType, devicePayload, deviceSerial, ksn, iv} as TerminalRequest);
  }
  return reads;
}

/** Some cannot: format-preserving encryption. */
function opens(request: TerminalRequest): boolean {
  try {
    processPayload(request, testKeyRing());
    return true;
  } catch {
    return false;
  }
}

async function simulated(deviceType: TerminalType): Promise<TerminalRequest[]> {
  const terminal = TERMINALS[deviceType];
  const writer = terminal.write && (await writerOf(terminal));
  const [card] = TEST_CARDS;
  const [mode] = writer?.modes ?? [];
  if (!writer || !card || !mode) return [];
  return [simulate(writer, {deviceType, mode, card, ksn: KSN, keys: testKeyRing()})];
}

/** Cases of one mistake each, and one that nothing opens, by name. */
export function diagnosisCases(): Readonly<Record<string, DiagnosisCase>> {
  const transaction = nodeTransactionKey(Buffer.from(OWN_BDK, 'hex'), KSN);
  const data = hexOf(tdesCbc(nodeWorkingKey(transaction), padded(TRACK2), 'encrypt'));
  const plain = hexOf(tdesCbc(masked(transaction, 5), padded(TRACK2), 'encrypt'));
  const pin = hexOf(tdesCbc(masked(transaction, 7), padded(TRACK2), 'encrypt'));
  const swapped = OWN_BDK.slice(16) + OWN_BDK.slice(0, 16);
  const mistyped = `${OWN_BDK.slice(0, 9)}7${OWN_BDK.slice(10)}`;
  const random = hexOf(nodeTransactionKey(Buffer.from(swapped, 'hex'), KSN)).repeat(2);
  return {
    'no mistake': caseOf(data),
    'no one-way step': caseOf(plain),
    'the PIN variant': caseOf(pin),
    'the key halves swapped': caseOf(data, swapped),
    'a KSN of eight bytes': caseOf(data, OWN_BDK, KSN.slice(4)),
    'the KSN of the next read': caseOf(data, OWN_BDK, 'FFFF9876543210E00052'),
    'a wrong digit in the KSN': caseOf(data, OWN_BDK, 'FFFF9876543211E00051'),
    'a wrong digit in the key': caseOf(data, mistyped),
    'nothing that opens': caseOf(`${random}${hexOf(transaction)}`),
  };
}

/** Those whose search ends with the usual causes. */
export const USUAL_CASES = 5;

function caseOf(text: string, digits = OWN_BDK, ksn = KSN): DiagnosisCase {
  const writtenKeys = [{kind: 'bdk', digits, source: 'keys[0]'}] as const;
  return {ciphertexts: [{name: 'track 2', text}], ksn, writtenKeys, keys: []};
}

/** The key under a variant: bytes `at` of both halves inverted (X9.24-1:2009, A.4.1). */
function masked(key: Buffer, at: number): Buffer {
  return Buffer.from(key.map((byte, i) => (i % 8 === at ? byte ^ 0xff : byte)));
}

function padded(text: string): Buffer {
  return Buffer.from(text.padEnd(8 * Math.ceil(text.length / 8), '\0'), 'latin1');
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}
