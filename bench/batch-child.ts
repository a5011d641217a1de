/** One batch from stdin with the workers that the argument says; tells its memory on stderr. */
import {decryptBatch} from '../src/cli/batch/decrypt-batch.js';

await decryptBatch('-', {workers: Number(process.argv[2]), 'test-keys': true});
process.stderr.write(`${JSON.stringify({megabytes: process.resourceUsage().maxRSS / 1024})}\n`);
