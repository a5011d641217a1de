/** A client that opens a connection for every request, in a thread of its own. */
import {connect} from 'node:net';
import {connect as connectTls} from 'node:tls';
import {parentPort, workerData} from 'node:worker_threads';
import {median} from './measure.js';
import {signed} from './signed-requests.js';

/** What a client got: milliseconds of its answers, and how many requests had none. */
export interface ServiceQuality {
  readonly answered: number;
  readonly failed: number;
  readonly median: number;
  readonly worst: number;
}

const INTERVAL_MS = 100;
const MAX_WAIT_MS = 10_000;
const {port, isTls} = workerData as {port: number; isTls: boolean};
const times: number[] = [];
let failed = 0;
let isOver = false;

parentPort?.once('message', () => {
  isOver = true;
});

while (!isOver) {
  const begin = performance.now();
  if (await isAnswered()) times.push(performance.now() - begin);
  else failed += 1;
  await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
}
const worst = Math.max(0, ...times);
const quality: ServiceQuality = {answered: times.length, failed, median: median(times), worst};
parentPort?.postMessage(quality);

/** Whether a good request on a new connection gets a 200. */
function isAnswered(): Promise<boolean> {
  return new Promise((resolve) => {
    const address = {port, host: '127.0.0.1', rejectUnauthorized: false};
    const socket = isTls ? connectTls(address) : connect(address);
    const [request = Buffer.alloc(0)] = signed('validate-partner', 1);
    const end = (isRight: boolean) => {
      socket.destroy();
      resolve(isRight);
    };
    socket.setTimeout(MAX_WAIT_MS, () => end(false));
    socket.on('error', () => end(false)).on('close', () => end(false));
    socket.once('data', (data) => end(data.toString('latin1').startsWith('HTTP/1.1 200')));
    socket.write(request);
  });
}
