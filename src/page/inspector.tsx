import {render} from 'preact';
import {Inspector} from './inspector/inspector.js';
import type {ExplorationOrder} from './model/explore.js';
import {blockPageRestore} from './parts/block-page-restore.js';
import {explored} from './worker/explored.js';
import {isWorker, listen} from './worker/page-worker.js';

if (isWorker()) listen((order: ExplorationOrder, send) => send(explored(order)));
else showInspector();

function showInspector(): void {
  blockPageRestore();
  const root = document.querySelector('#app');
  if (root) render(<Inspector />, root);
}
