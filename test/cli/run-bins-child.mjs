// Started by a test. Runs the commands of a JSON array on stdin one after the other in this process, and
// prints what each wrote and its exit code.
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {start} from '../../dist/cli/start.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pjson = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const streams = [process.stdout, process.stderr];
const [print] = streams.map((stream) => stream.write.bind(stream));
const inherited = {...process.env};

for (const stream of [process, ...streams]) stream.setMaxListeners(0);
const runs = [];
for (const argv of JSON.parse(readFileSync(0, 'utf8'))) {
  const texts = ['', ''];
  for (const [i, stream] of streams.entries()) {
    stream.write = (chunk, ...more) => {
      texts[i] += Buffer.from(chunk).toString();
      more.at(-1)?.();
      return true;
    };
  }
  process.env = {...inherited};
  process.exitCode = undefined;
  await start({root, pjson}, argv);
  runs.push({argv, stdout: texts[0], stderr: texts[1], exitCode: process.exitCode ?? 0});
}
print(JSON.stringify(runs), () => process.exit(0));
