import {describe, expect, test} from 'vitest';
import {junitXml} from '../../../src/cli/verify/junit-xml.js';
import type {ScenarioResult} from '../../../src/conformance/run-scenarios.js';
import {SCENARIOS} from '../../../src/conformance/scenarios/index.js';
import {type Element, readXml} from './strict-xml.js';

/**
 * What Jenkins' junit-10.xsd allows, as far as a suite of ours may use it: children, attributes that
 * must be there, attributes that may.
 * Source: https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */
const SCHEMA: Readonly<
  Record<string, {children: string[]; required: string[]; optional: string[]}>
> = {
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    required: ['name', 'tests', 'failures', 'errors'],
    optional: 'group time skipped timestamp hostname id package file log url'.split(' '),
  },
  testcase: {
    children:
      'skipped error failure rerunFailure rerunError flakyFailure flakyError system-out system-err'.split(
        ' ',
      ),
    required: ['name'],
    optional: ['time', 'classname', 'group'],
  },
  failure: {children: [], required: [], optional: ['type', 'message']},
  skipped: {children: [], required: [], optional: ['type', 'message']},
};
/** The pattern of SUREFIRE_TIME. */
const SUREFIRE_TIME = /^(?:(?:[0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(?:\.[0-9]*)?$/;

/** Every way in which an element breaks the schema. */
function faultsOf({name, attributes, children}: Element): string[] {
  const rule = SCHEMA[name];
  if (!rule) return [`${name} is unknown`];
  const names = Object.keys(attributes);
  const {time} = attributes;
  return [
    ...rule.required.filter((each) => !names.includes(each)).map((each) => `${name} lacks ${each}`),
    ...names
      .filter((each) => ![...rule.required, ...rule.optional].includes(each))
      .map((each) => `${name} has ${each}`),
    ...(name === 'testsuite' && time !== undefined && !SUREFIRE_TIME.test(time) ? [time] : []),
    ...children
      .filter((child) => !rule.children.includes(child.name))
      .map((child) => `${name} holds ${child.name}`),
    ...children.flatMap(faultsOf),
  ];
}

const HOSTILE = 'a\u0000\u001b[31m\u0085\uFFFE\uD800 <b> & "c" \' ]]> \u{1F4B3}\n\r\tend';

function resultsOf(received: string): ScenarioResult[] {
  const [first, second, third] = SCENARIOS;
  if (!first || !second || !third) throw new Error('no scenarios');
  return [
    {scenario: first, outcome: 'pass', milliseconds: 1234.5678},
    {scenario: second, outcome: 'fail', milliseconds: 9e9, step: 2, expected: 'x', received},
    {scenario: third, outcome: 'not run', milliseconds: 0, missing: ['hmac', 'device']},
  ];
}

describe('JUnit XML', () => {
  test.each([
    ['plain text', 'status 500'],
    ['text that XML cannot hold', HOSTILE],
  ])('passes the junit-10 schema with %s', (_case, received) => {
    const root = readXml(junitXml(resultsOf(received), `http://x.example/a?b="<&>'`));
    expect([root.name, faultsOf(root)]).toEqual(['testsuite', []]);
  });

  test('passes it for every scenario, run or not', () => {
    const results = SCENARIOS.map((scenario) => ({
      scenario,
      outcome: 'pass' as const,
      milliseconds: 1,
    }));
    const root = readXml(junitXml(results, 'http://x.example'));
    expect([faultsOf(root), root.children.length]).toEqual([[], SCENARIOS.length]);
  });

  test('passes it without any scenario', () => {
    expect(faultsOf(readXml(junitXml([], 'http://x.example')))).toEqual([]);
  });

  test('counts each outcome, and adds up the time', () => {
    const {attributes} = readXml(junitXml(resultsOf('y'), 'http://x.example'));
    expect(attributes).toMatchObject({
      tests: '3',
      failures: '1',
      errors: '0',
      skipped: '1',
      time: '9000001.235',
    });
  });

  test('keeps any text, but for what XML cannot hold', () => {
    const {attributes} = readXml(junitXml([], HOSTILE));
    expect(attributes.name).toBe(
      `paylens verify a\uFFFD\uFFFD[31m\u0085\uFFFD\uFFFD <b> & "c" ' ]]> \u{1F4B3}\n\r\tend`,
    );
  });

  test('shows what was received with escapes for what cannot be seen', () => {
    const [, failed] = readXml(junitXml(resultsOf(HOSTILE), 'http://x.example')).children;
    expect(failed?.children[0]?.attributes.message).toBe(
      String.raw`step 2: expected x
received a\x00\x1b[31m\x85\u{fffe}\u{d800} <b> & "c" ' ]]> 💳\x0a\x0d\x09end`,
    );
  });
});
