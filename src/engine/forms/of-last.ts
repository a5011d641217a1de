/**
 * Keeps the last answer: many readers ask the same of one payload. No longer than until memory is
 * next cleared, so that nothing stays of a payload that was read. `from`: characters from which
 * keeping an answer, some microseconds, pays.
 */
export function ofLast<Answer>(
  ask: (payload: string) => Answer,
  from = 0,
): (payload: string) => Answer {
  let last: WeakRef<{readonly payload: string; readonly answer: Answer}> | undefined;
  return (payload) => {
    if (payload.length < from) return ask(payload);
    let kept = last?.deref();
    if (kept?.payload !== payload) {
      kept = {payload, answer: ask(payload)};
      last = new WeakRef(kept);
    }
    return kept.answer;
  };
}

/** Of an answer that takes as long as a search for one character. */
export const QUICKLY_FOUND = 768;
