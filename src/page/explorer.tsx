import {render} from 'preact';
import type {ExplorationOrder} from './model/explore.js';
import {App} from './parts/app.js';
import {blockPageRestore} from './parts/block-page-restore.js';
import {type DiagnosisOrder, diagnoseOrder} from './worker/diagnosis-worker.js';
import {explored} from './worker/explored.js';
import {isWorker, listen} from './worker/page-worker.js';

if (isWorker()) listen(answerOrder);
else showExplorer();

function answerOrder(
  order: ExplorationOrder | DiagnosisOrder,
  send: (news: unknown) => void,
): void {
  if ('isDiagnosis' in order) diagnoseOrder(order, send);
  else send(explored(order));
}

function showExplorer(): void {
  blockPageRestore();
  const root = document.querySelector('#app');
  if (root) render(<App />, root);
}
