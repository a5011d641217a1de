declare module 'dukpt' {
  /** The part of the package that the benchmark and the test of the vectors use. */
  export default class Dukpt {
    constructor(bdk: string, ksn: string, keyMode?: 'datakey' | 'pinkey' | 'mackey');
    /** Upper-case or lower-case hex. */
    readonly _sessionKey: string;
    dukptDecrypt(data: string, options?: {inputEncoding: 'hex'; outputEncoding: 'ascii'}): string;
  }
}
