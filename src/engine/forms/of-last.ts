/** Keeps the last answer: many readers ask the same of one payload. */
export function ofLast<Answer>(ask: (payload: string) => Answer): (payload: string) => Answer {
  let last: {payload: string; answer: Answer} | undefined;
  return (payload) => {
    if (last?.payload !== payload) last = {payload, answer: ask(payload)};
    return last.answer;
  };
}
