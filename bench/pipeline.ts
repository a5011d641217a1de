import {createHash} from 'node:crypto';
import {prepareCipher} from '../src/engine/cipher/modes.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {parseKsn} from '../src/engine/dukpt/ksn.js';
import {TERMINALS} from '../src/engine/families/registry.js';
import {writerOf} from '../src/engine/families/terminal.js';
import {processPayload} from '../src/engine/process-payload.js';
import type {Writer} from '../src/engine/writing.js';
import {type SimulatedRequest, simulate} from '../src/simulator/simulate.js';
import {randomKsns} from './ksn-stream.js';
import {type Contender, compare, timed} from './measure.js';
import {type Goal, report} from './report.js';

/**
 * Plaintexts of 75 and 37 bytes, which are 80 and 40 bytes when encrypted, as in the kernel
 * benchmark.
 */
const CARD = {
  pan: '4111111111111111',
  expiry: '3012',
  serviceCode: '201',
  name: 'TEST CARD/PAYLENS           '.trimEnd(),
  track1: '%B4111111111111111^TEST CARD/PAYLENS         ^3012201000000000000000000?',
  track2: ';4111111111111111=30122010000000000?',
};

/** A request to the service, and the part of it that the kernel alone gets. */
interface Case {
  readonly request: SimulatedRequest;
  readonly ksn: string;
  readonly tracks: readonly Uint8Array[];
}

/**
 * From an ID TECH frame to the response JSON, compared with the bare kernel on the same
 * ciphertexts; cold.
 */
export async function benchPipeline(): Promise<Goal[]> {
  const cases = makeCases(await writerOf(TERMINALS['idtech']));
  const rates = compare(cases.length, [pipeline(cases), kernel(cases)]);
  // Of a kernel that is compiled, a whole read is a smaller share.
  return report('Whole pipeline: an ID TECH frame to the response JSON, no cache', rates, [0.25]);
}

function makeCases(writer: Writer): Case[] {
  const keys = testKeyRing();
  return randomKsns().map((ksn) => {
    const request = simulate(writer, {
      deviceType: 'idtech',
      mode: 'swiped',
      card: CARD,
      ksn,
      keys,
      options: {hash: 'null'},
    });
    return {request, ksn, tracks: cutTracks(request.devicePayload)};
  });
}

/** The frame has 10 bytes of header, then the masked tracks, then 80 and 40 bytes of ciphertext. */
function cutTracks(payload: string): Uint8Array[] {
  const frame = Buffer.from(payload, 'hex');
  const begin = 3 + 7 + (frame[5] ?? 0) + (frame[6] ?? 0);
  return [
    new Uint8Array(frame.subarray(begin, begin + 80)),
    new Uint8Array(frame.subarray(begin + 80, begin + 120)),
  ];
}

const MESSAGE_ID = '1202601010000000000000000';

function pipeline(cases: readonly Case[]): Contender {
  const ring = testKeyRing({cache: false});
  const answer = ({request}: Case) =>
    JSON.stringify({success: true, messageId: MESSAGE_ID, ...processPayload(request, ring)});
  return {
    name: 'frame to JSON',
    turn: timed((from, to) => {
      for (let i = from; i < to; i++) answer(cases[i] as Case);
    }),
    proof: () =>
      digest(cases, (each) => {
        const {track1, track2} = JSON.parse(answer(each));
        return [track1, track2].map(({decrypted}) => Buffer.from(decrypted, 'hex'));
      }),
  };
}

function kernel(cases: readonly Case[]): Contender {
  const ring = testKeyRing({cache: false});
  const decrypt = ({ksn, tracks}: Case) => {
    const transaction = ring.transaction(parseKsn(ksn));
    const key = transaction.workingKey('data', true);
    const cipher = prepareCipher('tdes', key);
    const plain = tracks.map((track) => cipher.decryptCbc(track));
    cipher.wipe();
    key.fill(0);
    transaction.wipe();
    return plain;
  };
  return {
    name: 'KSN and ciphertext to plain',
    turn: timed((from, to) => {
      for (let i = from; i < to; i++) decrypt(cases[i] as Case);
    }),
    proof: () => digest(cases, (each) => decrypt(each).map(withoutFill)),
  };
}

function withoutFill(plain: Uint8Array): Uint8Array {
  const end = plain.indexOf(0);
  return end < 0 ? plain : plain.subarray(0, end);
}

/** SHA-256 of all tracks, in hex. */
function digest(cases: readonly Case[], tracksOf: (each: Case) => readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const each of cases) for (const track of tracksOf(each)) hash.update(track);
  return hash.digest('hex');
}
