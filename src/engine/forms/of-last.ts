/**
 * Keeps the last answer: many readers ask the same of one payload. No longer than until memory is
 * next cleared, so that nothing stays of a payload that was read.
 */
export function ofLast<Answer>(ask: (payload: string) => Answer): (payload: string) => Answer {
  let last: WeakRef<{readonly payload: string; readonly answer: Answer}> | undefined;
  return (payload) => {
    let kept = last?.deref();
    if (kept?.payload !== payload) {
      kept = {payload, answer: ask(payload)};
      last = new WeakRef(kept);
    }
    return kept.answer;
  };
}
