import {Inspector} from './inspector/inspector.js';
import type {ExplorationOrder} from './model/explore.js';
import {mount} from './parts/mount.js';
import {isWorker, listen} from './worker/page-worker.js';
import {explored} from './worker/reader.js';

if (isWorker()) listen((order: ExplorationOrder, send) => send(explored(order)));
else mount(<Inspector />);
