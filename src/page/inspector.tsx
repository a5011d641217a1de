import {render} from 'preact';
import {Inspector} from './inspector/inspector.js';

const root = document.querySelector('#app');
if (root) render(<Inspector />, root);
