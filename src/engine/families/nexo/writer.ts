import {PaylensError} from '../../../contract/paylens-error.js';
import {base64Of, bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import type {CipherSetting} from '../../reading.js';
import type {WriteRequest, Writer} from '../../writing.js';
import {resolveOptions} from '../writer-options.js';
import {DERIVATIONS, ofResponse} from './layout.js';
import {type EnvelopeParts, nexoMessage} from './messages.js';

const NEXO_OPTIONS = [
  {
    name: 'form',
    values: ['card', 'request', 'response', 'sale-to-poi', 'gateway', 'p2pe'],
    meaning:
      'ISO 20022: the Card element, a whole request or response; JSON: a Sale-to-POI message, two objects of gateways',
  },
  {name: 'derivation', values: ['DKP9', 'DKPT'], meaning: 'X9.24-1:2009, or the edition of 2004'},
  {
    name: 'content',
    values: ['usual', 'all'],
    meaning: 'plaintext; usual: card number and expiry for keyed, else track 2; all: both',
  },
] as const;

type NexoOptions = Readonly<Record<(typeof NEXO_OPTIONS)[number]['name'], string>>;

/** Generates card data in an envelope (docs/terminals/nexo.md#the-envelope). */
export const nexoWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: NEXO_OPTIONS,
  write: (request) => {
    const options = resolveOptions(NEXO_OPTIONS, request.options);
    assertRoom(options.form, request);
    const {serial} = request;
    const isInside = options.form === 'request' && serial !== undefined;
    return {
      devicePayload: nexoMessage(options.form)(envelopeParts(request, options), request),
      ...(serial === undefined || isInside ? {} : {deviceSerial: serial}),
    };
  },
};

function envelopeParts(request: WriteRequest, options: NexoOptions): EnvelopeParts {
  const {ksn, iv, encrypt} = request;
  const {form, derivation} = options;
  const algorithm = schemeOf(ksn);
  const name = form === 'sale-to-poi' ? 'id-dukpt-wrap' : derivation.toLowerCase();
  const usual = DERIVATIONS[name] ?? [];
  const [key] = form === 'response' ? ofResponse(usual) : usual;
  const setting = {algorithm, mode: 'cbc', ...key} as CipherSetting;
  const plain = addFill(plaintext(request, options), 'iso7816', blockSizeOf(algorithm));
  const encrypted = encrypt(plain, setting, iv ? {iv} : {});
  const data = form === 'p2pe' ? upperHexOf(encrypted) : base64Of(encrypted);
  return {isAes: algorithm === 'aes', derivation, data, ksn, ...(iv ? {iv} : {})};
}

/** Throws 9001 for data that a form has no room for. */
function assertRoom(form: string, {ksn, iv, mode}: WriteRequest): void {
  const isGateway = form === 'gateway' || form === 'p2pe';
  if (form === 'p2pe' && schemeOf(ksn) !== 'aes')
    throw new PaylensError(9001, 'option form: p2pe uses AES DUKPT, so the KSN has 24 digits');
  if (form === 'sale-to-poi' && schemeOf(ksn) === 'aes')
    throw new PaylensError(9001, 'option form: sale-to-poi uses TDES DUKPT');
  if (form === 'gateway' && iv)
    throw new PaylensError(9001, 'option form: objects of this gateway have no IV');
  if (isGateway && mode === 'emv')
    throw new PaylensError(9001, 'option form: objects of gateways do not indicate the mode');
}

type NamedText = readonly [iso: string, other: string, value: string];

function plaintext(request: WriteRequest, options: NexoOptions): Uint8Array {
  const members = cardMembers(request, options);
  const isJson = ['sale-to-poi', 'gateway', 'p2pe'].includes(options.form);
  const text = isJson
    ? JSON.stringify(Object.fromEntries(members.map(([, name, value]) => [name, value])))
    : `<PlainCardData>${members.map(([name, , value]) => `<${name}>${value}</${name}>`).join('')}</PlainCardData>`;
  return bytesFromLatin1(text);
}

/** Throws 9001 if a track is needed and the card has none, or keyed entry asks for one. */
function cardMembers({card, mode}: WriteRequest, {content}: NexoOptions): NamedText[] {
  const {pan, expiry, track2} = card;
  const isKeyed = mode === 'keyed';
  const wantsTrack = content === 'all' || !isKeyed;
  if (wantsTrack && (isKeyed || track2 === undefined))
    throw new PaylensError(9001, 'option content: a track is for swiped and emv, and of the card');
  const month = `20${expiry.slice(0, 2)}-${expiry.slice(2)}`;
  const number: NamedText[] = [
    ['PAN', 'PAN', pan],
    ['XpryDt', 'ExpiryDate', month],
  ];
  if (!wantsTrack) return number;
  const track: NamedText = ['Trck2', 'track2', (track2 ?? '').slice(1, -1)];
  return content === 'all' ? [track, ...number] : [track];
}
