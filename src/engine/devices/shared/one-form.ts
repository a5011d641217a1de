import {latin1Of} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';
import {severalReads} from './one-read.js';

/** The TLV forms of terminals, by objects that only one of them has: its ciphertext or its KSN. */
const SIGNS = {
  ViVOpay: ['DFEE12', 'FFEE12', 'DFEE23', 'DFEF4D'],
  XPI: ['DF9020'],
  VIPA: ['DFDF10', 'DFDF13'],
  Miura: ['DFAE02'],
  BBPOS: ['C2', 'C5', 'C6', 'C8'],
} as const;

type TlvForm = keyof typeof SIGNS;

/** Tags as short as those of BBPOS mean other things elsewhere, but not beside one of these KSNs. */
const KSNS: Readonly<Partial<Record<TlvForm, readonly string[]>>> = {BBPOS: ['C0', 'C3', 'C7']};
const KSN_BYTES = [10, 12];

/** What another terminal encrypted is another read. Throws 2100. */
export function demandOneForm(all: readonly TlvObject[], own: TlvForm): void {
  const forms = Object.keys(SIGNS) as TlvForm[];
  for (const form of forms) {
    const sign = form === own ? undefined : signOf(all, form);
    if (!sign) continue;
    throw severalReads(`tag ${sign.tag} at ${sign.offset}: a read in ${form} tags beside ${own}`);
  }
}

function signOf(all: readonly TlvObject[], form: TlvForm): TlvObject | undefined {
  const ksns = KSNS[form];
  const isKsn = ({tag, value}: TlvObject) =>
    ksns?.includes(tag) && KSN_BYTES.includes(value.length);
  if (ksns !== undefined && !all.some(isKsn)) return undefined;
  return all.find((object) => isSign(object, form));
}

function isSign({tag, value}: TlvObject, form: TlvForm): boolean {
  // The name in front of a message looks like an object of track 1.
  if (tag === '56') return form === 'ViVOpay' && /^VO(?:tech2|payV3)\0/.test(latin1Of(value));
  return (SIGNS[form] as readonly string[]).includes(tag) && value.length > 0;
}
