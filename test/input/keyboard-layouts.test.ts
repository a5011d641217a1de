import {describe, expect, it} from 'vitest';
import {collectClues} from '../../src/input/clues.js';
import {diagnoseJson, labelsOf} from '../diagnosis/diagnosing.js';
import {Draw} from '../diagnosis/draw.js';
import {enhanced, original, track} from '../engine/families/idtech-frames.js';
import {encrypt} from '../engine/terminal.js';
import {tenthOf} from '../long.js';

/**
 * What the characters of a reader become, written down key by key from Microsoft's pages on the Windows
 * layouts: characters, then what they become. What is not named stays as it is.
 */
const SIGNS = '%^&*();:=+?_-/|@#"\'';
const LAYOUTS: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  German: [
    [SIGNS, '%&/()=öÖ´`_?ß-\'"§Ää'],
    ['yzYZ', 'zyZY'],
  ],
  French: [
    [SIGNS, '5678' + '90mM=+§°)!µ23%ù'],
    ['0123456789', 'à&é"\'(-è_ç'],
    ['aqzwmAQZWM,.', 'qawz,QAWZ?;:'],
  ],
  Spanish: [[SIGNS, '%&/()=ñÑ¡¿_?\'-Ç"·¨´']],
  Italian: [[SIGNS, '%&/()=òçì^_?\'-§"£°à']],
  UK: [[SIGNS, '%^&*();:=+?_-/~"£@\'']],
};

/** A dead key and the letter behind it are one character. */
const DEAD: Readonly<Record<string, string>> = {'´': '\u0301', '`': '\u0300', '¨': '\u0308'};

function typed(text: string, layout: string): string {
  const pairs = (LAYOUTS[layout] ?? []).flatMap(([from, to]) =>
    [...from].map((character, i) => [character, [...to][i] ?? '?'] as const),
  );
  const keys = new Map<string, string>(pairs);
  const shown = [...text].map((character) => keys.get(character) ?? character).join('');
  const hasDead = !['UK', 'French', 'Italian'].includes(layout);
  if (!hasDead) return shown;
  return shown.replaceAll(/([´`¨])([AEIOUaeiou])/g, (_, accent: string, letter: string) =>
    (letter + DEAD[accent]).normalize('NFC'),
  );
}

const KSN = 'FFFF9876543210E00012';

/** Names with every letter that a layout moves. */
function tracksOf(draw: Draw): [string, string] {
  const name = draw.of(['ZAWADZKY/QUINCY', 'MAYER/ZOE', 'WAQAZ/MARY', 'ANDERSSON/EVA', 'DOE/JANE']);
  const pan = draw.pan();
  const rest = `${draw.expiry()}201${draw.digits(10)}`;
  return [`%B${pan}^${name}^${rest}?`, `;${pan}=${rest}?`];
}

function magneSafe(draw: Draw): string {
  const [one, two] = tracksOf(draw);
  const sealed = (text: string) => encrypt(text, {ksn: KSN}).toString('hex').toUpperCase();
  const masked = (text: string) => text.replace(/(\d{6})\d+(\d{4})/, '$1000000$2');
  return `${masked(one)}${masked(two)}|0600|${sealed(one)}|${sealed(two)}||A1050000|${draw.hex(54)}|B${draw.digits(6)}|${draw.hex(8)}|${KSN}|${draw.hex(2)}||0000`;
}

const FORMS: Readonly<Record<string, (draw: Draw) => string>> = {
  'ID TECH swipe': (draw) => {
    const tracks = tracksOf(draw).map((text) => track(text));
    return enhanced({tracks, form: 'keyboard', ksn: KSN});
  },
  'ID TECH swipe, track 2 alone': (draw) => {
    const text = `;${draw.pan()}=${draw.expiry()}201${draw.digits(10)}?`;
    return enhanced({tracks: [track(''), track(text)], form: 'keyboard', ksn: KSN});
  },
  MagneSafe: magneSafe,
};

describe('keyboard text that went through another layout than US', () => {
  const all = Object.keys(LAYOUTS).flatMap((layout) =>
    Object.entries(FORMS).map(([form, make]) => [layout, form, make] as const),
  );
  // The UK layout moves none of the characters of an ID TECH frame.
  const moved = all.filter(([layout, form]) => layout !== 'UK' || form === 'MagneSafe');

  it.each(tenthOf(moved, ([layout, form]) => `${layout} ${form}`))(
    'is undone: %s, %s',
    async (layout, form, make) => {
      const draw = new Draw(`${layout} ${form}`);
      const wrong: unknown[] = [];
      for (let i = 0; i < 5; i++) {
        const text = make(draw);
        const given = {payload: typed(text, layout)};
        const found = await diagnoseJson(given, {usualOnly: true});
        const verdict = found.verdicts.find(({label}) => label === 'keyboard-layout');
        const isRight = found.solved && verdict?.detail?.includes(layout);
        if (!isRight) wrong.push({given, text, solved: found.solved, labels: labelsOf(found)});
      }
      expect(wrong).toEqual([]);
    },
  );

  it('is undone where nothing but hex was typed (French)', async () => {
    const draw = new Draw('French hex');
    const text = original({t2: ';4012888888881881=28012010000000000000?'});
    const hex = encrypt(draw.track2(), {ksn: KSN}).toString('hex').toUpperCase();
    for (const payload of [hex, hex.toLowerCase(), text].map((one) => typed(one, 'French'))) {
      const found = await diagnoseJson({payload, ksn: KSN}, {usualOnly: true});
      expect(labelsOf(found)).toContain('keyboard-layout');
    }
  });

  it.each<[string, (text: string) => string]>([
    ['in a line of a log', (text) => `2024-05-01 12:00:00 recv: ${text}`],
    ['as a value of JSON', (text) => JSON.stringify({data: text})],
    ['in quotes', (text) => `"${text}"`],
    ['with its last 3 lost', (text) => text.slice(0, -1)],
    ['in lower case', (text) => text.toLowerCase()],
    ['read as single bytes', (text) => Buffer.from(text, 'utf8').toString('latin1')],
    ['escaped for a URL', encodeURIComponent],
  ])('is undone %s', async (_, wrap) => {
    const text = typed(FORMS['ID TECH swipe']?.(new Draw('wrapped')) ?? '', 'German');
    const found = await diagnoseJson({payload: wrap(text)}, {usualOnly: true});
    expect(labelsOf(found)).toContain('keyboard-layout');
    expect(found.next?.request.deviceType).toBe('idtech');
  });

  it('gives the command that decrypts it', async () => {
    const payload = typed(FORMS['ID TECH swipe']?.(new Draw('next')) ?? '', 'German');
    const {next} = await diagnoseJson({payload}, {usualOnly: true});
    expect(next?.request.deviceType).toBe('idtech');
  });

  it.each(Object.entries(FORMS))(
    'is not suspected of what came through US: %s',
    async (_, make) => {
      const draw = new Draw('US');
      const {interpretations} = collectClues({
        payload: make(draw),
        ciphertexts: [],
        writtenKeys: [],
        keys: [],
      });
      const labels = interpretations.flatMap(({findings}) => findings.map(({label}) => label));
      expect(labels).not.toContain('keyboard-layout');
    },
  );
});
