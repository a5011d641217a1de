// Preloaded by check-start-up: at exit, prints on stderr how many files were loaded as modules,
// CommonJS and ESM.
import module from 'node:module';
import {MessageChannel, receiveMessageOnPort} from 'node:worker_threads';

const {port1, port2} = new MessageChannel();
port1.unref();
module.register('./count-modules-hook.mjs', import.meta.url, {
  data: {port: port2},
  transferList: [port2],
});

process.on('exit', () => {
  const files = new Set(Object.keys(module._cache));
  for (let got = receiveMessageOnPort(port1); got; got = receiveMessageOnPort(port1)) {
    files.add(got.message);
  }
  process.stderr.write(`loaded files: ${files.size}\n`);
});
