import {parentPort, workerData} from 'node:worker_threads';
import {blockAnswerer} from './answer-block.js';
import {type SentKey, takeKeys, type WorkerSettings} from './sent-keys.js';

const {keys, flags, draw} = workerData as WorkerSettings & {readonly keys: readonly SentKey[]};
const answer = blockAnswerer({keys: takeKeys(keys), flags, draw});

parentPort?.on('message', (block: Uint8Array) => {
  const answered = answer(block);
  parentPort?.postMessage(answered, [answered.bytes.buffer]);
});
