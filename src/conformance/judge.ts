import type {Answer, Expectation, Heard, Mismatch, Watch} from './scenario.js';

/**
 * What a response has wrong. Status, members and rules of a request that was accepted say nothing
 * about one that should have been rejected, nor the other way round. A response that is not JSON
 * has no members to judge.
 */
export function judge(heard: Heard): readonly Mismatch[] {
  const {answer, step} = heard;
  const {expect} = step;
  const {success, status, headers = {}, rules = []} = expect;
  const received = summary(answer);
  if (!isOfExpectedKind(heard)) return [{expected: `success ${success}`, received}];
  const found: Mismatch[] = [];
  if (status !== undefined && answer.status !== status)
    found.push({expected: `status ${status}`, received});
  for (const [name, pattern] of Object.entries(headers)) {
    const value = answer.headers[name];
    if (pattern.test(value ?? '')) continue;
    found.push({expected: `header ${name} matching ${pattern}`, received: value ?? 'none'});
  }
  if (answer.body === undefined) return found;
  return [
    ...found,
    ...judgeMembers(answer.body, expect, received),
    ...rules.flatMap((rule) => rule(answer, heard)),
  ];
}

/** Whether a response has none of what a step expects of its members. */
export function isUnreadable({answer, step: {expect}}: Heard): boolean {
  return answer.body === undefined && !!(expect.errCode ?? expect.members ?? expect.rules);
}

function judgeMembers(
  body: NonNullable<Answer['body']>,
  {errCode, members = {}}: Expectation,
  received: string,
): Mismatch[] {
  const found: Mismatch[] = [];
  // A code of another type has a rule of its own.
  if (errCode !== undefined && String(body.errCode) !== String(errCode))
    found.push({expected: `errCode ${errCode}`, received});
  for (const [name, value] of Object.entries(members)) {
    if (body[name] === value) continue;
    const shown = JSON.stringify(body[name]) ?? 'nothing';
    found.push({expected: `${name} ${JSON.stringify(value)}`, received: shown});
  }
  return found;
}

/**
 * What the responses of a run have wrong that a watch concerns: each mismatch once, with the first
 * place and the number of the others. Undefined if it concerns no response. An acceptance or a
 * rejection that its own scenario finds wrong is not judged further.
 */
export function judgeAll(
  {concerns, rule}: Watch,
  heard: readonly Heard[],
): readonly Mismatch[] | undefined {
  const concerned = heard.filter((each) => isOfExpectedKind(each) && concerns(each));
  if (concerned.length === 0) return undefined;
  const found = new Map<string, {received: string; others: number}>();
  for (const each of concerned)
    for (const {expected, received} of rule(each.answer, each)) {
      const known = found.get(expected);
      if (known) known.others += 1;
      else found.set(expected, {received: `${received} (${placeOf(each)}`, others: 0});
    }
  return [...found].map(([expected, {received, others}]) => {
    const also = others === 0 ? '' : ` and ${others} more`;
    return {expected, received: `${received}${also})`};
  });
}

function isOfExpectedKind({answer, step}: Heard): boolean {
  return (step.expect.success ?? answer.accepted) === answer.accepted;
}

function placeOf({id, number}: Heard): string {
  return number === 1 ? id : `${id}, step ${number}`;
}

/** Status and error, without anything of a card. */
function summary({status, body}: Answer): string {
  if (body === undefined) return `status ${status}, no JSON object`;
  const error = body.errCode === undefined ? '' : `, errCode ${body.errCode}: ${body.errMessage}`;
  return `status ${status}, success ${JSON.stringify(body.success)}${error}`;
}
