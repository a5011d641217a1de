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
 * The keys of a US keyboard in the order of the layouts: the characters that a typing reader means.
 */
export const US_KEYS = {
  plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
  shifted: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
} as const;

/**
 * From xkeyboard-config 2.35 (symbols/de, fr, es, it, pt, gb, tr, dk, no, se, ch, be, br, latam),
 * which agrees in these keys with Microsoft's layouts (KBDGR, KBDFR, KBDSP, KBDIT, KBDPO, KBDUK,
 * KBDTUQ, KBDTUF, KBDDA, KBDNO, KBDSW, KBDSG, KBDSF, KBDBE, KBDBR, KBDLA, KBDUSX); dead keys as in
 * Windows.
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
    name: 'Latin American',
    plain: "|1234567890'¿qwertyuiop´+}asdfghjklñ{zxcvbnm,.-",
    shifted: '°!"#$%&/()=?¡QWERTYUIOP¨*]ASDFGHJKLÑ[ZXCVBNM;:_',
    dead: '´¨',
  },
  {
    name: 'Italian',
    plain: "\\1234567890'ìqwertyuiopè+ùasdfghjklòàzxcvbnm,.-",
    shifted: '|!"£$%&/()=?^QWERTYUIOPé*§ASDFGHJKLç°ZXCVBNM;:_',
    dead: '',
  },
  {
    name: 'Portuguese',
    plain: "\\1234567890'«qwertyuiop+´~asdfghjklçºzxcvbnm,.-",
    shifted: '|!"#$%&/()=?»QWERTYUIOP*`^ASDFGHJKLÇªZXCVBNM;:_',
    dead: '´`~^',
  },
  {
    name: 'Brazilian',
    plain: "'1234567890-=qwertyuiop´[]asdfghjklç~zxcvbnm,.;",
    shifted: '"!@#$%¨&*()_+QWERTYUIOP`{}ASDFGHJKLÇ^ZXCVBNM<>:',
    dead: '¨´`~^',
  },
  {
    name: 'UK',
    plain: "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
    shifted: '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
    dead: '',
  },
  {
    name: 'Turkish',
    plain: '"1234567890*-qwertyuıopğü,asdfghjklşizxcvbnmöç.',
    shifted: "é!'^+%&/()=?_QWERTYUIOPĞÜ;ASDFGHJKLŞİZXCVBNMÖÇ:",
    dead: '^',
  },
  {
    name: 'Turkish F',
    plain: '+1234567890/-fgğıodrnhpqwxuieaütkmlyşjövcçzsb.,',
    shifted: '*!"^$%&\'()=?_FGĞIODRNHPQWXUİEAÜTKMLYŞJÖVCÇZSB:;',
    dead: '^',
  },
  {
    name: 'Danish',
    plain: "½1234567890+´qwertyuiopå¨'asdfghjklæøzxcvbnm,.-",
    shifted: '§!"#¤%&/()=?`QWERTYUIOPÅ^*ASDFGHJKLÆØZXCVBNM;:_',
    dead: '´`¨^',
  },
  {
    name: 'Norwegian',
    plain: "|1234567890+\\qwertyuiopå¨'asdfghjkløæzxcvbnm,.-",
    shifted: '§!"#¤%&/()=?`QWERTYUIOPÅ^*ASDFGHJKLØÆZXCVBNM;:_',
    dead: '`¨^',
  },
  {
    name: 'Swedish or Finnish',
    plain: "§1234567890+´qwertyuiopå¨'asdfghjklöäzxcvbnm,.-",
    shifted: '½!"#¤%&/()=?`QWERTYUIOPÅ^*ASDFGHJKLÖÄZXCVBNM;:_',
    dead: '´`¨^',
  },
  {
    name: 'Swiss German',
    plain: "§1234567890'^qwertzuiopü¨$asdfghjklöäyxcvbnm,.-",
    shifted: '°+"*ç%&/()=?`QWERTZUIOPè!£ASDFGHJKLéàYXCVBNM;:_',
    dead: '^`¨',
  },
  {
    name: 'Swiss French',
    plain: "§1234567890'^qwertzuiopè¨$asdfghjkléàyxcvbnm,.-",
    shifted: '°+"*ç%&/()=?`QWERTZUIOPü!£ASDFGHJKLöäYXCVBNM;:_',
    dead: '^`¨',
  },
  {
    name: 'Belgian',
    plain: '²&é"\'(§è!çà)-azertyuiop^$µqsdfghjklmùwxcvbn,;:=',
    shifted: '³1234567890°_AZERTYUIOP¨*£QSDFGHJKLM%WXCVBN?./+',
    dead: '^¨',
  },
  {name: 'US International', ...US_KEYS, dead: '`~^\'"'},
];
