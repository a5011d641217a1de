import {hasKsnField} from '../../engine/families/magtek/swipe/string.js';
import {isHex} from '../../platform/bytes.js';
import type {Guess} from './notation.js';

/** Characters that a layout produces for the keys of a US keyboard, row by row. */
interface KeyboardLayout {
  /** Its usual English name. */
  readonly name: string;
  readonly plain: string;
  readonly shifted: string;
  /** Accents that wait for the next character. */
  readonly dead: string;
}

/**
 * The keys of a US keyboard in the order of the layouts: the characters that a reader types.
 */
const US_KEYS = {
  plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
  shifted: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
} as const;

/**
 * From xkeyboard-config 2.35 (symbols/de, fr, es, it, gb), which agrees in these keys with
 * Microsoft's layouts (KBDGR, KBDFR, KBDSP, KBDIT, KBDUK, KBDUSX); dead keys as in Windows.
 */
const KEYBOARD_LAYOUTS: readonly KeyboardLayout[] = [
  {
    name: 'German',
    plain: '^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-',
    shifted: '°!"§$%&/()=?`QWERTZUIOPÜ*\'ASDFGHJKLÖÄYXCVBNM;:_',
    dead: '^´`',
  },
  {
    name: 'French',
    plain: '²&é"\'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!',
    shifted: '~1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§',
    dead: '^¨',
  },
  {
    name: 'Spanish',
    plain: "º1234567890'¡qwertyuiop`+çasdfghjklñ´zxcvbnm,.-",
    shifted: 'ª!"·$%&/()=?¿QWERTYUIOP^*ÇASDFGHJKLÑ¨ZXCVBNM;:_',
    dead: '`^´¨',
  },
  {
    name: 'Italian',
    plain: "\\1234567890'ìqwertyuiopè+ùasdfghjklòàzxcvbnm,.-",
    shifted: '|!"£$%&/()=?^QWERTYUIOPé*§ASDFGHJKLç°ZXCVBNM;:_',
    dead: '',
  },
  {
    name: 'UK',
    plain: "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
    shifted: '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
    dead: '',
  },
  {name: 'US International', ...US_KEYS, dead: '`~^\'"'},
];

/** Patterns of a reader's keyboard text; each one that matches counts as a sign. */
const SIGNS: readonly ((text: string) => boolean)[] = [
  (text) => /%\*?[A-Z]?[\d* ]{6,24}\^[^^?]{2,40}\^[^?]*\?/.test(text),
  (text) => /;[\d*]{6,24}=[\d*:]*\?/.test(text),
  hasKsnField,
  (text) => text.length >= MIN_HEX_DIGITS && isHex(text),
];
const MIN_HEX_DIGITS = 32;
const MAX_TYPED_CHARS = 8192;

/**
 * The texts that a reader with US keyboard codes may have typed on a computer with another layout:
 * those that look like a reader's keyboard text only after the layout is undone.
 */
export function typedTexts(text: string): Guess[] {
  if (text.length > MAX_TYPED_CHARS) return [];
  const all = KEYBOARD_LAYOUTS.flatMap((layout) => {
    const meant = undo(text, layout);
    return meant === undefined ? [] : [{layout, meant, signs: signsIn(meant)}];
  });
  // Similar layouts each undo a part of the others.
  const most = Math.max(0, ...all.map(({signs}) => signs));
  if (most <= signsIn(text)) return [];
  const best = all.filter(({signs}) => signs === most);
  return [...new Set(best.map(({meant}) => meant))].map((one) => {
    const names = best.filter(({meant}) => meant === one).map(({layout}) => layout.name);
    return {text: one, detail: `The layout was ${names.join(' or ')}.`};
  });
}

function signsIn(text: string): number {
  return SIGNS.filter((sign) => sign(text)).length;
}

/** Undefined if no key of the layout produces one of the characters. */
function undo(text: string, layout: KeyboardLayout): string | undefined {
  const keys = usKeys(layout);
  let meant = '';
  for (const character of text) {
    const key = keys.get(character) ?? accentedKeys(character, layout, keys);
    if (key === undefined) return undefined;
    meant += key;
  }
  return meant;
}

const KEYS = new Map<string, ReadonlyMap<string, string>>();

function usKeys({name, plain, shifted}: KeyboardLayout): ReadonlyMap<string, string> {
  const known = KEYS.get(name);
  if (known) return known;
  const us = US_KEYS.plain + US_KEYS.shifted;
  const keys = new Map([...' \t\r\n'].map((blank) => [blank, blank]));
  for (const [i, character] of [...(plain + shifted)].entries()) {
    if (!keys.has(character)) keys.set(character, us.charAt(i));
  }
  KEYS.set(name, keys);
  return keys;
}

/** Accents as dead keys produce them if no letter follows that combines with them. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': "´'",
  '\u0302': '^',
  '\u0303': '~',
  '\u0308': '¨"',
};

/** A letter with the accent of a dead key: two keys, one character. */
function accentedKeys(
  character: string,
  {dead}: KeyboardLayout,
  keys: ReadonlyMap<string, string>,
): string | undefined {
  const [letter = '', mark = ''] = character.normalize('NFD');
  const accent = [...(ACCENTS[mark] ?? '')].find((one) => dead.includes(one));
  const [first, second] = [keys.get(accent ?? ''), keys.get(letter)];
  return first === undefined || second === undefined ? undefined : first + second;
}
