import {flatten, type TlvObject} from '../../tlv/ber.js';

/**
 * Who makes the readers: the payloads of DSpread are a dialect of those of BBPOS
 * (docs/terminals/dspread.md#bbpos-or-dspread).
 */
export type Maker = 'BBPOS' | 'DSpread';

/** The maker that a payload shows; `either`: only the plaintext decides. */
export type MakerHint = Maker | 'either';

/** Format IDs of each maker's dictionary, whether their tracks can be decrypted or not. */
export const FORMAT_IDS: Readonly<Record<Maker, readonly string[]>> = {
  BBPOS: ['22', '36', '46', '54', '55', '60', '61', '64', '65'],
  DSpread: ['30', 'FF', '10', '11', '17', '31', '37', '40'],
};

/** The members of a dictionary that identify its maker. */
interface DictionarySigns {
  /** The makers whose readers alone send some of its members, empty or not. */
  readonly makers: ReadonlySet<Maker>;
  readonly formatId: string | undefined;
  /** A KSN under the name that BBPOS uses. */
  readonly hasKsn: boolean;
}

/** The maker of a dictionary by its members, else its format ID, else the name of its KSN. */
export function makerOfMembers({makers, formatId, hasKsn}: DictionarySigns): MakerHint {
  const byId = (['BBPOS', 'DSpread'] as const).find((maker) =>
    FORMAT_IDS[maker].includes(formatId ?? ''),
  );
  const [maker] = makers;
  // Older logs of BBPOS also have the member that is DSpread's.
  if (maker !== undefined && byId !== 'BBPOS') return makers.size === 1 ? maker : (byId ?? 'BBPOS');
  return byId ?? (hasKsn ? 'BBPOS' : 'either');
}

/** Tags that no DSpread reader sends. */
const OF_BBPOS = /^(?:C[89A-E]|DC|DF(?:0[38B]|41|7[89]|8203|8204|826E|8315|8321|834F)|99)$/;
const PIN_BLOCK_BYTES = 8;
const D0_BYTES = 16;

/** The maker of a message by its tags. */
export function makerOfTags(objects: readonly TlvObject[]): MakerHint {
  const sent = flatten(objects).filter(({value}) => value.length > 0);
  if (sent.some(({tag}) => OF_BBPOS.test(tag))) return 'BBPOS';
  const pin = sent.find(({tag}) => tag === 'C7');
  if (pin) return pin.value.length === PIN_BLOCK_BYTES ? 'DSpread' : 'BBPOS';
  const isDspread = sent.some(({tag, value}) => tag === 'D0' && value.length === D0_BYTES);
  return isDspread ? 'DSpread' : 'either';
}
