import type {Answer, Expectation, Mismatch} from './scenario.js';

/** The first rule that a response breaks; undefined if it breaks none. */
export function judge(
  answer: Answer,
  expect: Expectation,
  before: readonly Answer[],
): Mismatch | undefined {
  return (
    judgeOutcome(answer, expect) ??
    judgeMembers(answer, expect) ??
    judgeHeaders(answer, expect) ??
    firstOf(expect.rules ?? [], (rule) => rule(answer, before))
  );
}

function judgeOutcome({status, body}: Answer, expect: Expectation): Mismatch | undefined {
  if (body?.success !== expect.success) {
    return {expected: `success ${expect.success}`, received: summary(status, body)};
  }
  if (expect.status !== undefined && status !== expect.status) {
    return {expected: `status ${expect.status}`, received: summary(status, body)};
  }
  if (expect.errCode !== undefined && body?.errCode !== expect.errCode) {
    return {expected: `errCode ${expect.errCode}`, received: summary(status, body)};
  }
  return undefined;
}

function judgeMembers({body}: Answer, {members = {}}: Expectation): Mismatch | undefined {
  return firstOf(Object.keys(members), (name) =>
    body?.[name] === members[name]
      ? undefined
      : {
          expected: `${name} ${JSON.stringify(members[name])}`,
          received: JSON.stringify(body?.[name]) ?? 'nothing',
        },
  );
}

function judgeHeaders(
  {headers}: Answer,
  {headers: wanted = {}}: Expectation,
): Mismatch | undefined {
  return firstOf(Object.keys(wanted), (name) =>
    wanted[name]?.test(headers[name] ?? '')
      ? undefined
      : {expected: `header ${name} matching ${wanted[name]}`, received: headers[name] ?? 'none'},
  );
}

/** Status and error, without anything of a card. */
function summary(status: number, body: Answer['body']): string {
  if (body === undefined) return `status ${status}, no JSON object`;
  const error = body.errCode === undefined ? '' : `, errCode ${body.errCode}: ${body.errMessage}`;
  return `status ${status}, success ${JSON.stringify(body.success)}${error}`;
}

function firstOf<T>(items: readonly T[], find: (item: T) => Mismatch | undefined) {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}
