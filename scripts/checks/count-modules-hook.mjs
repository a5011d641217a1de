// The loader hook of count-modules: reports the path of every file that is imported.
import {fileURLToPath} from 'node:url';

let port;

export function initialize(data) {
  port = data.port;
}

export async function load(url, context, nextLoad) {
  if (url.startsWith('file:')) port.postMessage(fileURLToPath(url));
  return nextLoad(url, context);
}
