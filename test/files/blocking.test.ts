import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {isBlocking, whileBlocking} from '../../src/files/blocking.js';

let resources: string[] = [];
beforeEach(() => {
  resources = [];
  vi.spyOn(process, 'getActiveResourcesInfo').mockImplementation(() => resources);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a thread of the pool counts as held', () => {
  it('from the first work to the end of the last, and not before or after', async () => {
    const ends: (() => void)[] = [];
    const work = () => whileBlocking(() => new Promise<void>((resolve) => ends.push(resolve)));
    expect(isBlocking()).toBe(false);
    const works = [work(), work()];
    expect(isBlocking()).toBe(true);
    ends[0]?.();
    await works[0];
    expect(isBlocking()).toBe(true);
    ends[1]?.();
    await works[1];
    expect(isBlocking()).toBe(false);
  });

  it('no longer when the work fails', async () => {
    await expect(whileBlocking(() => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(isBlocking()).toBe(false);
  });

  // The names are those of Node's own request wraps, as `process.getActiveResourcesInfo` gives them.
  it.each([
    ['FSReqCallback', true],
    ['FSReqPromise', true],
    ['GetAddrInfoReqWrap', true],
    ['GetNameInfoReqWrap', true],
    ['NoFSReqCallback', false],
    ['Timeout', false],
    ['TCPSocketWrap', false],
    ['TTYWrap', false],
  ])('while %s is active: %s', (name, expected) => {
    resources = ['Immediate', name];
    expect(isBlocking()).toBe(expected);
  });
});
