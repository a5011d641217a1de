import {render} from 'preact';
import {Inspector} from './inspector/inspector.js';
import {keepOut} from './parts/keep-out.js';

keepOut();
const root = document.querySelector('#app');
if (root) render(<Inspector />, root);
