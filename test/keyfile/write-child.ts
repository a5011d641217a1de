// Started by a test: writes the given number of bytes to the file, then prints the error code and
// its cause.
import {PaylensError} from '../../src/contract/paylens-error.js';
import {writeDurably} from '../../src/files/write-durably.js';

const [path = '', length = '0'] = process.argv.slice(2);
const error = await writeDurably(path, Buffer.alloc(Number(length), 0x61)).catch((e) => e);
const cause = error instanceof PaylensError ? (error.cause as {code?: string}) : undefined;
console.log(error === undefined ? 'written' : `${error.code} ${cause?.code}`);
