import {answerAll} from './answer-all.js';

// Node, Bun and Deno print a line; a page hands it to the server that it came from.
const line = JSON.stringify(await answerAll());
if ('document' in globalThis) await fetch('answers', {method: 'POST', body: line});
else console.log(line);
