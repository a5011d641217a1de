import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {answerMask} from '../../../src/service/inspector/shown-answer.js';
import {shownBody} from '../../../src/service/inspector/shown-body.js';
import {payloadMask, shownPayload} from '../../../src/service/inspector/shown-payload.js';
import {answer, readSamples, ringOf} from '../../engine/samples.js';

const SAMPLES = readdirSync('test/samples')
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => readSamples(name.replace('.json', '')))
  .filter(({request}) => request.devicePayload !== undefined);

/** A card number as text, and as the hex of its digits. */
function formsOf(pan: string): readonly string[] {
  return [pan, Buffer.from(pan).toString('hex')];
}

function masked(body: string, value: Parameters<typeof shownBody>[1]['value']): string {
  const {text} = shownBody(body, {secrets: [], value, encoding: 'utf8'});
  expect(Buffer.byteLength(text)).toBe(Buffer.byteLength(body));
  return text;
}

test.each(SAMPLES)('$id keeps its length, and shows no card number', ({request, keys}) => {
  const {response} = answer(request, ringOf(keys));
  const forms = response ? formsOf(response.extracted.PAN) : [];
  const sent = {...request};
  const shown = masked(JSON.stringify(sent), payloadMask(sent, shownPayload(sent, false)));
  const payload: string = JSON.parse(shown).devicePayload;
  const changed = [...payload].filter((character, i) => character !== request.devicePayload[i]);
  expect(changed.filter((character) => character !== '*')).toEqual([]);
  const whole = JSON.stringify({success: true, ...response});
  const answered = masked(whole, answerMask(response ?? {}));
  // Of a response that a fault has cut, each member is hidden whole.
  const cut = whole.slice(0, whole.indexOf('"PAN"') + 16);
  const half = masked(cut, answerMask({}));
  for (const form of forms) expect((shown + answered).toLowerCase()).not.toContain(form);
  for (const form of forms) expect(half).not.toContain(form.slice(0, 9));
});
