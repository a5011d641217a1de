import {render} from 'preact';
import {Inspector} from './inspector/inspector.js';
import type {ExplorationOrder} from './model/explore.js';
import {keepOut} from './parts/keep-out.js';
import {explored} from './worker/explored.js';
import {isWorker, listen} from './worker/page-worker.js';

if (isWorker()) listen((order: ExplorationOrder, tell) => tell(explored(order)));
else show();

function show(): void {
  keepOut();
  const root = document.querySelector('#app');
  if (root) render(<Inspector />, root);
}
