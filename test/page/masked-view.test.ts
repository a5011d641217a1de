import {readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {hexOfCell, textOfCell} from '../../src/engine/inspection/cells.js';
import {type Exploration, explore} from '../../src/page/model/explore.js';
import {answer, readSamples, ringOf, type Sample} from '../engine/samples.js';

const FOLDER = new URL('../samples/', import.meta.url);
const SAMPLES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => readSamples(file.replace('.json', '')))
  .filter(({request}) => TERMINAL_TYPES.includes(request.deviceType));

function explored({request, keys}: Sample): Exploration {
  const {deviceType, devicePayload, ksn, iv, deviceSerial} = request;
  const text = JSON.stringify({deviceType, devicePayload, ksn, iv, deviceSerial});
  const typed = keys.map(({hex}) => hex).join(', ');
  return explore({text, terminal: undefined, keys: {testKeys: false, typed}});
}

/** Everything that the page shows of a payload while card numbers are masked, without blanks. */
function shownText({fields, cells, hidden, opened}: Exploration): string[] {
  const grid = (show: (code: number) => string, star: string) =>
    Array.from(cells, (code, i) => (hidden[i] ? star : show(code))).join('');
  const plaintexts = (opened?.parts ?? []).flatMap(({plaintext: {bytes, hidden: stars}}) => [
    Array.from(bytes, (byte, i) => (stars[i] ? '**' : hexOfCell(byte))).join(''),
    Array.from(bytes, (byte, i) => (stars[i] ? '*' : textOfCell(byte))).join(''),
  ]);
  const texts = fields.flatMap(({name, value, meaning, check}) => [
    name.masked,
    value.masked,
    meaning.masked,
    check?.text ?? '',
  ]);
  return [grid(hexOfCell, '**'), grid(textOfCell, '*'), ...plaintexts, ...texts];
}

const panOf = ({expect: {response}}: Sample) =>
  (response as {extracted?: {PAN?: string}} | undefined)?.extracted?.PAN;

describe('the masked view', () => {
  it.each(SAMPLES.map((sample) => [sample.id, sample] as const))('of %s', (_, sample) => {
    const found = explored(sample);
    const {response, errCode} = answer(sample.request, ringOf(sample.keys));
    expect(found.opened?.result.extracted).toEqual(response?.extracted);
    // A typed key serves every KSN: none is without a key, but it may be the wrong one.
    expect(errCode === 2600 ? [2600, 2601] : [errCode]).toContain(found.failure?.code);
    const pan = panOf(sample);
    if (pan === undefined) return;
    const hex = Buffer.from(pan, 'latin1').toString('hex').toUpperCase();
    for (const shown of shownText(found)) {
      // Some numbers are written with spaces.
      const text = shown.replaceAll(' ', '');
      expect(text.toUpperCase().replaceAll(/20(?=3\d)/g, '')).not.toContain(hex);
      expect(text).not.toContain(pan);
    }
  });

  it('hides the number of a card only while it is masked', () => {
    const [sample] = SAMPLES.filter((one) => panOf(one) !== undefined) as [Sample];
    const clear = explored(sample)
      .fields.map(({value}) => value.clear)
      .join(' ');
    expect(clear.replaceAll(' ', '')).toContain(panOf(sample));
  });
});

const SEALED = SAMPLES.filter((sample) => explored(sample).macs.some(({ok}) => ok));

describe('a MAC or a hash that is right', () => {
  it('is in payloads of several terminals', () => {
    expect(new Set(SEALED.map(({request}) => request.deviceType)).size).toBeGreaterThan(1);
  });

  it.each(SEALED.map((sample) => [sample.id, sample] as const))(
    'stands at its bytes in %s',
    (_, sample) => {
      const {fields, macs} = explored(sample);
      for (const {name, offset, of: what} of macs) {
        const at = fields.filter((one) => one.check?.text === `${name} is the ${what}`);
        expect(at.some((one) => offset >= one.offset && offset < one.end)).toBe(true);
      }
    },
  );
});
