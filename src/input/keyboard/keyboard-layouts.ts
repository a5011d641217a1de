/** Characters that a layout produces for the keys of a US keyboard, row by row. */
export interface KeyboardLayout {
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
export const US_KEYS = {
  plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
  shifted: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
} as const;

/**
 * From xkeyboard-config 2.35 (symbols/de, fr, es, it, gb), which agrees in these keys with
 * Microsoft's layouts (KBDGR, KBDFR, KBDSP, KBDIT, KBDUK, KBDUSX); dead keys as in Windows.
 */
export const KEYBOARD_LAYOUTS: readonly KeyboardLayout[] = [
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
