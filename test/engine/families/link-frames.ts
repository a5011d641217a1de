import {bytesOf} from '../terminal.js';

/** One frame of MPI or VIPA: NAD, PCB, LEN, data, LRC. */
export function linkFrame(data: Uint8Array, control = 0): Buffer {
  const frame = Buffer.concat([Buffer.from([0x01, control, data.length]), bytesOf(data)]);
  return Buffer.concat([frame, Buffer.from([frame.reduce((xor, byte) => xor ^ byte, 0)])]);
}

/** A message of several frames: `size` bytes of data in each, all but the last with PCB bit 0. */
export function chainedFrames(data: Uint8Array, size: number): Buffer {
  const pieces = Array.from({length: Math.ceil(data.length / size)}, (_, i) =>
    data.subarray(i * size, (i + 1) * size),
  );
  return Buffer.concat(
    pieces.map((piece, i) => linkFrame(piece, i < pieces.length - 1 ? 0x01 : 0)),
  );
}

export const SUCCESS = Buffer.from('9000', 'hex');
