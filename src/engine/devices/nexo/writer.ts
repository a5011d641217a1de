import {PaylensError} from '../../../contract/paylens-error.js';
import {base64Of, bytesFromLatin1, upperHexOf} from '../../../platform/bytes.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {addFill} from '../../cipher/padding.js';
import type {CipherSetting} from '../../reading.js';
import type {CardImage, WriteRequest, Writer, Written} from '../writer.js';
import {resolveOptions} from '../writer-options.js';
import {DERIVATIONS, ofResponse, PADDINGS} from './layout.js';
import {element, messageOf, type Sealed} from './messages.js';

const OPTIONS = [
  {
    name: 'form',
    values: ['card', 'request', 'response', 'sale-to-poi', 'gateway', 'p2pe'],
    meaning:
      'ISO 20022: the Card element, a whole request or response; JSON: a Sale-to-POI message, two objects of gateways',
  },
  {name: 'derivation', values: ['DKP9', 'DKPT'], meaning: 'X9.24-1:2009, or the edition of 2004'},
  {
    name: 'content',
    values: ['usual', 'track2', 'trckdata', 'all'],
    meaning:
      'plaintext; usual: track 2 for swiped, else card number and expiry; trckdata: track 2 without its number',
  },
  {name: 'separator', values: ['=', 'D'], meaning: 'separator in track 2'},
  {
    name: 'expiry',
    values: ['YYYY-MM', 'YYYY-MM-DD', 'YYYYMMDD', 'YYMMDD', 'YYMM'],
    meaning: 'form of the expiry',
  },
  {name: 'padding', values: Object.keys(PADDINGS), meaning: 'BPddg; NUL8 is not stated'},
  {name: 'ksn', values: ['payload', 'request'], meaning: 'where the KSN is placed'},
  {name: 'iv', values: ['payload', 'request'], meaning: 'where the IV is placed'},
] as const;

type Options = Readonly<Record<(typeof OPTIONS)[number]['name'], string>>;

/** Generates card data in an envelope (docs/formats/nexo.md#the-envelope). */
export const nexoWriter: Writer = {
  modes: ['swiped', 'emv', 'keyed'],
  options: OPTIONS,
  write: (request) => {
    const options = resolveOptions(OPTIONS, request.options);
    const {serial} = request;
    const isInside = options.form === 'request' && serial !== undefined;
    return {
      devicePayload: messageOf(options.form)(sealed(request, options), request),
      ...outside(request, options),
      ...(serial === undefined || isInside ? {} : {deviceSerial: serial}),
    };
  },
};

function sealed(request: WriteRequest, options: Options): Sealed {
  const {ksn, iv, encrypt} = request;
  const isAes = ksn.length === 24;
  demandForm(options, request);
  const algorithm = isAes ? 'aes' : 'tdes';
  const name = options.form === 'sale-to-poi' ? 'id-dukpt-wrap' : options.derivation.toLowerCase();
  const usual = DERIVATIONS[name] ?? [];
  const [key] = options.form === 'response' ? ofResponse(usual) : usual;
  const setting = {algorithm, mode: 'cbc', ...key} as CipherSetting;
  const fill = PADDINGS[options.padding as keyof typeof PADDINGS];
  const plain = addFill(plaintext(request, options), fill, blockSizeOf(algorithm));
  const encrypted = encrypt(plain, setting, iv ? {iv} : {});
  return {
    isAes,
    edition: options.derivation,
    padding: options.padding,
    data: options.form === 'p2pe' ? upperHexOf(encrypted) : base64Of(encrypted),
    ...(options.ksn === 'payload' ? {ksn} : {}),
    ...(iv && options.iv === 'payload' ? {iv} : {}),
  };
}

/** Throws 9001 for what a form has no room for. */
function demandForm({form, ksn, iv}: Options, request: WriteRequest): void {
  const isGateway = form === 'gateway' || form === 'p2pe';
  if (form === 'p2pe' && request.ksn.length !== 24)
    throw new PaylensError(9001, 'option form: p2pe uses AES DUKPT, so the KSN has 24 digits');
  if (form === 'sale-to-poi' && request.ksn.length === 24)
    throw new PaylensError(9001, 'option form: sale-to-poi uses TDES DUKPT');
  if (isGateway && ksn === 'request')
    throw new PaylensError(9001, 'option ksn: objects of gateways contain the KSN');
  if (form === 'gateway' && request.iv && iv === 'payload')
    throw new PaylensError(9001, 'option form: objects of this gateway have no IV');
  if (isGateway && request.mode === 'emv')
    throw new PaylensError(9001, 'option form: objects of gateways do not indicate the mode');
}

function outside({ksn, iv}: WriteRequest, options: Options): Partial<Written> {
  return {
    ...(options.ksn === 'request' ? {ksn} : {}),
    ...(iv && options.iv === 'request' ? {iv: upperHexOf(iv)} : {}),
  };
}

type Member = readonly [iso: string, other: string, value: string];

function plaintext({card, mode}: WriteRequest, options: Options): Uint8Array {
  const members = contentOf(card, mode === 'keyed', options);
  const isJson = ['sale-to-poi', 'gateway', 'p2pe'].includes(options.form);
  const text = isJson
    ? JSON.stringify(Object.fromEntries(members.map(([, name, value]) => [name, value])))
    : `<PlainCardData>${members.map(([name, , value]) => element(name, value)).join('')}</PlainCardData>`;
  return bytesFromLatin1(text);
}

/** Throws 9001 if the card has no track 2, or keyed entry asks for one. */
function contentOf(card: CardImage, isKeyed: boolean, options: Options): Member[] {
  const {content} = options;
  const wantsTrack = content === 'usual' ? !isKeyed : true;
  if (wantsTrack && (isKeyed || card.track2 === undefined))
    throw new PaylensError(9001, 'option content: a track is for swiped and emv, and of the card');
  const track = (card.track2 ?? '').slice(1, -1).replaceAll('=', options.separator);
  const track2: Member =
    content === 'trckdata' ? ['TrckData', 'TrackValue', track] : ['Trck2', 'track2', track];
  const pan: Member[] = [
    ['PAN', 'PAN', card.pan],
    ['XpryDt', 'ExpiryDate', dateOf(card.expiry, options)],
  ];
  return [...(wantsTrack ? [track2] : []), ...(!wantsTrack || content === 'all' ? pan : [])];
}

function dateOf(expiry: string, {expiry: form}: Options): string {
  const [year, month] = [expiry.slice(0, 2), expiry.slice(2)];
  return form
    .replace('YYYY', `20${year}`)
    .replace('YY', year)
    .replace('MM', month)
    .replace('DD', '28');
}
