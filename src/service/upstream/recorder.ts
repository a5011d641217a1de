import {stoppedText} from '../../contract/control/inspected-request.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {ForwardedRequest} from '../http/send-upstream.js';
import type {Service} from '../open-service.js';

/** What is not read in time is lost, and the first reading of a thread takes long on a busy machine. */
const MAX_RECORDING_MS = 3000;

/** Writes exchanges to a record, in the order in which they were given, and never fails. */
export class Recorder {
  readonly #service: Service;
  #written: Promise<void> = Promise.resolve();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Resolves once the exchange is written; at once if there is no record. */
  add(
    call: ForwardedRequest,
    answer: {
      readonly status: number;
      readonly rawHeaders: readonly string[];
      readonly text: string;
    },
  ): Promise<void> {
    const {options, readings, registry} = this.#service;
    if (!options.record) return Promise.resolve();
    const {append, keepsCards} = options.record;
    const time = new Date().toISOString();
    const question = {record: {...call, time, answer, keepsCards}};
    const reading = readings.read(question, registry.partners, MAX_RECORDING_MS);
    this.#written = Promise.all([reading, this.#written])
      .then(([result]) =>
        'json' in result ? append(`${result.json}\n`) : this.#warn(stoppedText(result.stopped)),
      )
      .catch((error) => this.#warn(error instanceof PaylensError ? error.message : 'a defect'));
    return this.#written;
  }

  /** Resolves once all of them are written. */
  finish(): Promise<void> {
    return this.#written;
  }

  #warn(why: string): void {
    this.#service.log.error('exchange not recorded', {why});
  }
}
