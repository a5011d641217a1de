import {readFileSync} from 'node:fs';

/** A key of a KSN, and a message encrypted under it. All in hex. */
export interface DukptVector {
  readonly ksn: string;
  readonly usage: string;
  /** AES DUKPT: the usage of the working key. */
  readonly type?: string;
  readonly key: string;
  readonly mode?: 'cbc' | 'ecb' | 'cmac' | 'retail-mac' | 'hmac' | 'pin-block';
  readonly plaintext?: string;
  readonly ciphertext?: string;
  readonly pan?: string;
}

/** The vectors of one device. */
export interface DukptDevice {
  readonly bdk: string;
  readonly ik: string;
  readonly vectors: readonly DukptVector[];
}

export interface KcvVector {
  readonly algorithm: 'tdes' | 'aes';
  readonly method: string;
  readonly key: string;
  readonly kcv: string;
}

export function readDukptVectors(name: 'tdes-dukpt' | 'aes-dukpt'): readonly DukptDevice[] {
  return (read(name) as {devices: DukptDevice[]}).devices;
}

export function readKcvVectors(): readonly KcvVector[] {
  return (read('kcv') as {vectors: KcvVector[]}).vectors;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
}
