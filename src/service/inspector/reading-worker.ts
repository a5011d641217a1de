import {parentPort} from 'node:worker_threads';
import {answerReading, type ReadingOrder} from './reading-order.js';

/** Answers each order: JSON, or the Error that it gave. */
parentPort?.on('message', (order: ReadingOrder) => {
  try {
    parentPort?.postMessage(answerReading(order));
  } catch (error) {
    parentPort?.postMessage(error instanceof Error ? error : new Error('the reading failed'));
  }
});
parentPort?.postMessage('ready');
