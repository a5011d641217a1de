import {parentPort, workerData} from 'node:worker_threads';
import {terminalsOf} from '../input/terminals-of.js';
import {blockAnswerer} from './answer-block.js';
import {type SentKey, takeKeys, type WorkerSettings} from './sent-keys.js';

const {keys, flags, draw, modules} = workerData as WorkerSettings & {
  readonly keys: readonly SentKey[];
};
const ring = takeKeys(keys);
const terminals = await terminalsOf(modules);
const answer = blockAnswerer({keys: ring, flags, draw, terminals});

parentPort?.on('message', (block: Uint8Array) => {
  const answered = answer(block);
  parentPort?.postMessage(answered, [answered.bytes.buffer]);
});
