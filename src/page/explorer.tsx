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

if (isWorker()) listen(answerOrder);
else mount(<App />);

function answerOrder(
  order: ExplorationOrder | DiagnosisOrder | WhyOrder,
  send: (news: unknown) => void,
): void {
  if ('isDiagnosis' in order) diagnoseOrder(order, send);
  else send('error' in order ? whyOf(order) : explored(order));
}
