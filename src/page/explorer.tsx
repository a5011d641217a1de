import type {ExplorationOrder} from './model/explore.js';
import {App} from './parts/app.js';
import {mount} from './parts/mount.js';
import {
  type DiagnosisOrder,
  diagnoseOrder,
  type WhyOrder,
  whyOf,
} from './worker/diagnosis-worker.js';
import {isWorker, listen} from './worker/page-worker.js';
import {explored} from './worker/reader.js';

type Order = ExplorationOrder | DiagnosisOrder | WhyOrder;

if (isWorker())
  listen((order: Order, send: (news: unknown) => void) => {
    if ('isDiagnosis' in order) diagnoseOrder(order, send);
    else send('error' in order ? whyOf(order) : explored(order));
  });
else mount(<App />);
