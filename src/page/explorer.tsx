import {render} from 'preact';
import {type DiagnosisOrder, runOrder} from './diagnosis/diagnosis-worker.js';
import {App} from './parts/app.js';
import {keepOut} from './parts/keep-out.js';

// The page and its worker are one script: a worker has no document.
if (typeof document === 'undefined') listen();
else show(document.currentScript?.textContent ?? '');

function listen(): void {
  const scope = globalThis as unknown as Worker;
  scope.onmessage = ({data}: MessageEvent<DiagnosisOrder>) =>
    runOrder(data, (news) => scope.postMessage(news));
}

function show(script: string): void {
  keepOut();
  const root = document.querySelector('#app');
  if (root) render(<App script={script} />, root);
}
