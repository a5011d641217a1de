import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {collectBody} from '../../../src/service/http/collect-body.js';

test('a client that leaves within its body is no defect of the service', async () => {
  const stream = new PassThrough();
  const failed = new Promise((resolve) => {
    collectBody(stream, {maxBytes: 100, resize: () => true}, resolve);
  });
  stream.write('{"a":');
  stream.destroy(new Error('aborted'));
  expect(await failed).toMatchObject({code: 2009});
});
