import type {ScenarioResult} from '../../conformance/run-scenarios.js';
import {isLeftOut, tallyOf, whyOf} from './verify-report.js';

/**
 * The results as JUnit XML that satisfies Jenkins' junit-10.xsd, the strictest of those that CI
 * systems read. Scenarios that were not run count as skipped, or as failures if `mustRun`; none ends
 * in an error.
 */
export function junitXml(
  results: readonly ScenarioResult[],
  baseUrl: string,
  mustRun = false,
): string {
  const {failed, notRun} = tallyOf(results);
  const lost = mustRun ? results.filter(isLeftOut).length : 0;
  const head = attributes({
    name: `paylens verify ${baseUrl}`,
    tests: String(results.length),
    failures: String(failed + lost),
    errors: '0',
    skipped: String(notRun - lost),
    time: seconds(results.reduce((sum, {milliseconds}) => sum + milliseconds, 0)),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite${head}>`,
    ...results.map((result) => junitCase(result, mustRun)),
    '</testsuite>',
    '',
  ].join('\n');
}

function junitCase(result: ScenarioResult, mustRun: boolean): string {
  const {scenario, outcome, milliseconds} = result;
  const head = attributes({
    classname: scenario.level,
    name: `${scenario.id}: ${scenario.title}`,
    time: seconds(milliseconds),
  });
  if (outcome === 'pass') return `  <testcase${head}/>`;
  const tag = outcome === 'fail' || (mustRun && isLeftOut(result)) ? 'failure' : 'skipped';
  const why = `<${tag}${attributes({message: whyOf(result)})}/>`;
  return `  <testcase${head}>${why}</testcase>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${attributeText(value)}"`)
    .join('');
}

/** Characters that XML 1.0 (section 2.2) cannot contain; replaced by U+FFFD. */
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

// Other white space would be read as spaces.
function attributeText(text: string): string {
  return text
    .replace(NO_CHARACTER, '\uFFFD')
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
