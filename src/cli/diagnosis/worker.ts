import {parentPort, workerData} from 'node:worker_threads';
import {diagnose} from '../../diagnosis/diagnose.js';
import {report} from '../../diagnosis/report.js';
import type {WorkerOrder} from './run-diagnosis.js';

const {given, budgetMs, part} = workerData as WorkerOrder;
const now = () => performance.now();
parentPort?.postMessage(report(diagnose(given, {now, budgetMs, part})));
