/** One bit or one code of a value, in words. */
export interface BitField {
  /** `byte 1 bit 8`, or what a code stands for. */
  readonly name: string;
  readonly meaning: string;
  /** Absent for codes, which are always said. */
  readonly isSet?: boolean;
}

/** The meaning of each bit of each byte, from bit 8 down; empty: reserved. */
type BitTable = readonly (readonly string[])[];

/** EMV Book 3, Annex C5. */
const TVR: BitTable = [
  [
    'offline data authentication was not performed',
    'SDA failed',
    'ICC data missing',
    'card appears on the terminal exception file',
    'DDA failed',
    'CDA failed',
    'SDA selected',
    '',
  ],
  [
    'card and terminal have different application versions',
    'expired application',
    'application not yet effective',
    'requested service not allowed for the card product',
    'new card',
    '',
    '',
    '',
  ],
  [
    'cardholder verification was not successful',
    'unrecognised CVM',
    'PIN try limit exceeded',
    'PIN entry required, PIN pad absent or not working',
    'PIN entry required, PIN pad present, PIN not entered',
    'online PIN entered',
    '',
    '',
  ],
  [
    'transaction exceeds the floor limit',
    'lower consecutive offline limit exceeded',
    'upper consecutive offline limit exceeded',
    'selected at random for online processing',
    'merchant forced the transaction online',
    '',
    '',
    '',
  ],
  [
    'default TDOL used',
    'issuer authentication failed',
    'script processing failed before the final GENERATE AC',
    'script processing failed after the final GENERATE AC',
    '',
    '',
    '',
    '',
  ],
];

/** EMV Book 3, Annex C6. */
const TSI: BitTable = [
  [
    'offline data authentication was performed',
    'cardholder verification was performed',
    'card risk management was performed',
    'issuer authentication was performed',
    'terminal risk management was performed',
    'script processing was performed',
    '',
    '',
  ],
  ['', '', '', '', '', '', '', ''],
];

/** EMV Book 4, Annex A2. */
const TERMINAL_CAPABILITIES: BitTable = [
  ['manual key entry', 'magnetic stripe', 'IC with contacts', '', '', '', '', ''],
  [
    'plaintext PIN for ICC verification',
    'enciphered PIN for online verification',
    'signature on paper',
    'enciphered PIN for offline verification',
    'no CVM required',
    '',
    '',
    '',
  ],
  ['SDA', 'DDA', 'card capture', '', 'CDA', '', '', ''],
];

/** EMV Book 3, Annex C1. */
const AIP: BitTable = [
  [
    '',
    'SDA supported',
    'DDA supported',
    'cardholder verification supported',
    'terminal risk management to be performed',
    'issuer authentication supported',
    '',
    'CDA supported',
  ],
  ['', '', '', '', '', '', '', ''],
];

const TABLES: Readonly<Record<string, BitTable>> = {
  '82': AIP,
  '95': TVR,
  '9B': TSI,
  '9F33': TERMINAL_CAPABILITIES,
};

/**
 * The bits or codes of the value of an EMV tag, in words; undefined where the tag has none or the
 * value another length.
 */
export function bitFieldsOf(tag: string, value: Uint8Array): readonly BitField[] | undefined {
  if (tag === '9F34') return value.length === 3 ? cvmResults(value) : undefined;
  const table = Object.hasOwn(TABLES, tag) ? TABLES[tag] : undefined;
  if (!table || table.length !== value.length) return undefined;
  return table.flatMap((bits, at) => bitsOf(bits, value[at] ?? 0, at + 1));
}

/** A reserved bit is said only where it is set. */
function bitsOf(bits: readonly string[], byte: number, number: number): BitField[] {
  return bits.flatMap((meaning, i) => {
    const isSet = (byte & (0x80 >> i)) !== 0;
    if (meaning === '' && !isSet) return [];
    return {name: `byte ${number} bit ${8 - i}`, meaning: meaning || 'reserved', isSet};
  });
}

/** EMV Book 3, Annex C3: the method, by its low six bits. */
const CVM_METHODS: Readonly<Record<number, string>> = {
  0: 'fail CVM processing',
  1: 'plaintext PIN verified by the card',
  2: 'enciphered PIN verified online',
  3: 'plaintext PIN verified by the card, and signature',
  4: 'enciphered PIN verified by the card',
  5: 'enciphered PIN verified by the card, and signature',
  30: 'signature on paper',
  31: 'no CVM required',
  63: 'no CVM performed',
};

const CVM_CONDITIONS: readonly string[] = [
  'always',
  'if unattended cash',
  'if neither cash nor purchase with cashback',
  'if the terminal supports the CVM',
  'if manual cash',
  'if purchase with cashback',
  'if in the application currency and under amount X',
  'if in the application currency and over amount X',
  'if in the application currency and under amount Y',
  'if in the application currency and over amount Y',
];

const CVM_OUTCOMES: readonly string[] = ['unknown', 'failed', 'successful'];

/** EMV Book 4, Annex A4. */
function cvmResults([method = 0, condition = 0, result = 0]: Uint8Array): BitField[] {
  const onFailure = method !== 0x3f && method & 0x40 ? ', if it fails the next one' : '';
  return [
    {name: 'CVM performed', meaning: (CVM_METHODS[method & 0x3f] ?? 'reserved') + onFailure},
    {name: 'condition', meaning: CVM_CONDITIONS[condition] ?? 'reserved'},
    {name: 'result', meaning: CVM_OUTCOMES[result] ?? 'reserved'},
  ];
}

/** ISO/IEC 7813: interchange and technology, authorisation, services and PIN. */
const SERVICE_DIGITS: readonly Readonly<Record<string, string>>[] = [
  {
    1: 'international interchange',
    2: 'international interchange, use the chip where feasible',
    5: 'national interchange only, except under bilateral agreement',
    6: 'national interchange only, except under bilateral agreement, use the chip where feasible',
    7: 'no interchange, except under bilateral agreement',
    9: 'test card',
  },
  {
    0: 'normal authorisation',
    2: 'authorisation by the issuer, online',
    4: 'authorisation by the issuer, online, except under bilateral agreement',
  },
  {
    0: 'no restrictions, PIN required',
    1: 'no restrictions',
    2: 'goods and services only',
    3: 'ATM only, PIN required',
    4: 'cash only',
    5: 'goods and services only, PIN required',
    6: 'no restrictions, PIN where feasible',
    7: 'goods and services only, PIN where feasible',
  },
];

/** A service code of three digits in words; undefined for anything else. */
export function serviceCodeInWords(code: string): readonly string[] | undefined {
  if (!/^\d{3}$/.test(code)) return undefined;
  return SERVICE_DIGITS.map((digits, i) => digits[code.charAt(i)] ?? 'reserved');
}
