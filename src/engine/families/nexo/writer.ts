import {PaylensError} from '../../../contract/paylens-error.js';
import {base64Of, bytesFromLatin1} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';
import type {WriteRequest} from '../../writing.js';
import {type OptionValues, terminalWriter} from '../writer-options.js';
import {DERIVATIONS, ofResponse} from './layout.js';
import {type EnvelopeParts, nexoMessage} from './messages.js';

const NEXO_OPTIONS = [
  {
    name: 'form',
    values: ['card', 'request', 'response', 'sale-to-poi', 'gateway'],
    meaning:
      'ISO 20022: the Card element, a whole request or response; JSON: a Sale-to-POI message, an object of a gateway',
  },
  {name: 'derivation', values: ['DKP9', 'DKPT'], meaning: 'X9.24-1:2009, or the edition of 2004'},
] as const;

type NexoOptions = OptionValues<typeof NEXO_OPTIONS>;

/** Generates card data in an envelope (docs/terminals/nexo.md#the-envelope). */
export const nexoWriter = terminalWriter({
  modes: ['swiped', 'emv', 'keyed'],
  options: NEXO_OPTIONS,
  write: (request, options) => {
    assertRoom(options.form, request);
    const devicePayload = nexoMessage(options.form)(envelopeParts(request, options), request);
    return options.form === 'request' ? {devicePayload} : devicePayload;
  },
});

function envelopeParts(request: WriteRequest, {form, derivation}: NexoOptions): EnvelopeParts {
  const {ksn, iv, encrypt} = request;
  const algorithm = schemeOf(ksn);
  const name = form === 'sale-to-poi' ? 'id-dukpt-wrap' : derivation.toLowerCase();
  const usual = DERIVATIONS[name] ?? [];
  const [key] = form === 'response' ? ofResponse(usual) : usual;
  const setting = {algorithm, mode: 'cbc', ...key} as CipherSetting;
  const plain = addFill(plaintext(request, form), 'iso7816', blockSizeOf(algorithm));
  const data = base64Of(encrypt(plain, setting, iv ? {iv} : {}));
  return {isAes: algorithm === 'aes', derivation, data, ksn, ...(iv ? {iv} : {})};
}

/** Throws 9001 for data that a form has no room for. */
function assertRoom(form: string, {ksn, iv, mode}: WriteRequest): void {
  if (form === 'sale-to-poi' && schemeOf(ksn) === 'aes')
    throw new PaylensError(9001, 'option form: sale-to-poi uses TDES DUKPT');
  if (form === 'gateway' && (iv || mode === 'emv'))
    throw new PaylensError(9001, 'option form: objects of a gateway have no IV and no EMV mode');
}

/** Card number and expiry of keyed entry, else track 2. Throws 9001 if the card has none. */
function plaintext({card, mode}: WriteRequest, form: string): Uint8Array {
  const {pan, expiry, track2} = card;
  const isJson = form === 'sale-to-poi' || form === 'gateway';
  if (mode !== 'keyed') {
    if (track2 === undefined) throw new PaylensError(9001, 'the card has no track 2');
    const value = track2.slice(1, -1);
    return plainDocument(isJson ? {track2: value} : {Trck2: value}, isJson);
  }
  const month = `20${expiry.slice(0, 2)}-${expiry.slice(2)}`;
  return plainDocument(isJson ? {PAN: pan, ExpiryDate: month} : {PAN: pan, XpryDt: month}, isJson);
}

function plainDocument(members: Readonly<Record<string, string>>, isJson: boolean): Uint8Array {
  if (isJson) return bytesFromLatin1(JSON.stringify(members));
  const elements = Object.entries(members).map(([name, value]) => `<${name}>${value}</${name}>`);
  return bytesFromLatin1(`<PlainCardData>${elements.join('')}</PlainCardData>`);
}
