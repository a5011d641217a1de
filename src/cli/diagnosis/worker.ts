import {parentPort, workerData} from 'node:worker_threads';
import {diagnose} from '../../diagnosis/diagnose.js';
import {report} from '../../diagnosis/report.js';
import {terminalsOf} from '../input/terminals-of.js';
import type {WorkerMessage, WorkerOrder} from './run-diagnosis.js';

const {given: own, modules, ...limits} = workerData as WorkerOrder;
const given = {...own, terminals: await terminalsOf(modules)};
const post = (message: WorkerMessage) => parentPort?.postMessage(message);
const onProgress = (...progress: [stage: string, tried: number, elapsedMs: number]) =>
  post({progress});
const now = () => performance.now();
post({report: report(diagnose(given, {...limits, now, onProgress}))});
