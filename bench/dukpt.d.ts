declare module 'dukpt' {
  /** The part of the package that the benchmark calls. */
  export default class Dukpt {
    constructor(bdk: string, ksn: string, keyMode?: 'datakey' | 'pinkey' | 'mackey');
    dukptDecrypt(data: string, options?: {inputEncoding: 'hex'; outputEncoding: 'ascii'}): string;
  }
}
