import {describe, expect, test} from 'vitest';
import {SharedView} from '../../src/service/information/shared-view.js';

/** A view that counts its makings, each of which ends when it is told to. */
function counted() {
  const ends: ((error?: Error) => void)[] = [];
  const view = new SharedView(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length + 1;
        ends.push((error) => (error ? reject(error) : resolve(number)));
      }),
  );
  const begun = async (count: number) => {
    while (ends.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return {view, begun, end: (number: number, error?: Error) => ends[number - 1]?.(error), ends};
}

describe('a shared view', () => {
  test('is made once for all who ask at once', async () => {
    const {view, begun, end, ends} = counted();
    const asked = Array.from({length: 320}, () => view.ask());
    await begun(1);
    end(1);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([1]));
    expect(ends).toHaveLength(1);
  });

  test('is made once more for all who ask while it is made: they might have changed it', async () => {
    const {view, begun, end, ends} = counted();
    const first = view.ask();
    await begun(1);
    const later = Array.from({length: 320}, () => view.ask());
    end(1);
    await begun(2);
    end(2);
    expect([await first, new Set(await Promise.all(later))]).toEqual([1, new Set([2])]);
    expect(ends).toHaveLength(2);
  });

  test('is never made twice at the same time, however long it takes', async () => {
    const {view, begun, ends} = counted();
    void view.ask();
    await begun(1);
    void view.ask();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(ends).toHaveLength(1);
  });

  test('that fails does so for those who asked, and not for those who ask later', async () => {
    const {view, begun, end} = counted();
    const first = view.ask();
    first.catch(() => {});
    await begun(1);
    end(1, new Error('away'));
    await expect(first).rejects.toThrow('away');
    const second = view.ask();
    await begun(2);
    end(2);
    expect(await second).toBe(2);
  });
});
