import {expect, it, vi} from 'vitest';
import {blockAnswerer} from '../../../src/cli/batch/answer-block.js';
import {testKeys} from '../../../src/engine/dukpt/key-ring.js';

vi.mock('../../../src/contract/stack-of.js', async (original) => ({
  ...(await original<object>()),
  TRACING: true,
  stackOf: (error: {code?: number}) => `from ${error.code}`,
}));

it('a block tells where each of its errors comes from, in the order of the lines', () => {
  const answer = blockAnswerer({keys: testKeys(), flags: {}, draw: 0});
  const {traces} = answer(new Uint8Array(Buffer.from('{\nnonsense\n{\n')));
  expect(traces).toEqual(['from 2004', 'from 2100', 'from 2004']);
});
