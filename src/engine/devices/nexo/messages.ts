import {base64Of, bytesFromHex, upperHexOf} from '../../../platform/bytes.js';
import type {WriteRequest} from '../writer.js';
import {FIRST_PART} from './layout.js';

/** What goes into an envelope, as text. */
export interface Sealed {
  readonly isAes: boolean;
  readonly edition: string;
  readonly padding: string;
  readonly data: string;
  /** Hex; absent: not in the payload. */
  readonly ksn?: string;
  readonly iv?: Uint8Array;
}

type Form = (sealed: Sealed, request: WriteRequest) => string;

/** Both parts of a KSN in base64. */
function partsOf(ksn: string): readonly [string, string] {
  const bytes = bytesFromHex(ksn) ?? new Uint8Array();
  const cut = FIRST_PART[bytes.length] ?? 0;
  return [base64Of(bytes.subarray(0, cut)), base64Of(bytes.subarray(cut))];
}

/** An element with text or other elements in it. */
export function element(name: string, value: string): string {
  const inner = name === 'TrckData' ? element('TrckVal', value) : value;
  return `<${name}>${inner}</${name}>`;
}

function isoEnvelope({isAes, edition, padding, data, ksn, iv}: Sealed): string {
  const [first, second] = ksn === undefined ? [] : partsOf(ksn);
  const optional = (name: string, value?: string) =>
    value === undefined ? '' : element(name, value);
  const keyId = `<KeyId>TestKey</KeyId><KeyVrsn>1</KeyVrsn>${optional('DerivtnId', first)}`;
  const key = `<KEK><KEKId>${keyId}</KEKId><KeyNcrptnAlgo><Algo>${isAes ? 'DA12' : edition}</Algo></KeyNcrptnAlgo>${optional('NcrptdKey', second)}</KEK>`;
  const settings =
    optional('InitlstnVctr', iv && base64Of(iv)) +
    optional('BPddg', padding === 'NUL8' ? undefined : padding);
  const cipher = `<Algo>${isAes ? 'EA2C' : 'E3DC'}</Algo>${settings && element('Param', settings)}`;
  return `<PrtctdCardData><CnttTp>EVLP</CnttTp><EnvlpdData><Rcpt>${key}</Rcpt><NcrptdCntt><CnttTp>DATA</CnttTp><CnttNcrptnAlgo>${cipher}</CnttNcrptnAlgo><NcrptdData>${data}</NcrptdData></NcrptdCntt></EnvlpdData></PrtctdCardData>`;
}

const ENTRY: Readonly<Record<WriteRequest['mode'], string>> = {
  swiped: 'MGST',
  emv: 'CICC',
  keyed: 'PHYS',
};

const FORMS = {
  card: (parts, {mode}) =>
    mode === 'emv' ? requestOf(parts, mode, '') : `<Card>${isoEnvelope(parts)}</Card>`,
  request: (parts, {mode, serial}) => requestOf(parts, mode, serial ?? ''),
  response: (parts, {mode}) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:caaa.002.001.02"><AccptrAuthstnRspn><AuthstnRspn><Envt>${isoEnvelope(parts)}</Envt>${contextOf(mode)}</AuthstnRspn></AccptrAuthstnRspn></Document>`,
  'sale-to-poi': (parts, {mode}) => JSON.stringify(saleToPoi(parts, mode)),
  gateway: ({data, ksn, isAes}) =>
    JSON.stringify({
      encryptedData: {
        keyDerivationAlgorithm: isAes ? 'AESDUKPT128ECB' : 'DUKPT2009',
        encryptionAlgorithm: isAes ? 'AES128CBC' : 'DES112CBC',
        key: {index: ksn},
        value: data,
      },
    }),
  p2pe: ({data, ksn, iv}) =>
    JSON.stringify({
      sourceOfFunds: {
        provided: {
          card: {
            p2pe: {
              payload: data,
              keySerialNumber: ksn,
              ...(iv ? {initializationVector: upperHexOf(iv)} : {}),
            },
          },
        },
      },
    }),
} as const satisfies Readonly<Record<string, Form>>;

/** The message that one of the forms of the option puts around an envelope. */
export function messageOf(form: string): Form {
  return FORMS[form as keyof typeof FORMS];
}

function contextOf(mode: WriteRequest['mode']): string {
  return `<Cntxt><PmtCntxt><CardDataNtryMd>${ENTRY[mode]}</CardDataNtryMd></PmtCntxt></Cntxt>`;
}

function requestOf(parts: Sealed, mode: WriteRequest['mode'], serial: string): string {
  const poi =
    serial === ''
      ? ''
      : `<POI><Cmpnt><Tp>TERM</Tp><Id><SrlNb>${serial.replaceAll(/[<>&]/g, '')}</SrlNb></Id></Cmpnt></POI>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:caaa.001.001.02"><AccptrAuthstnReq><AuthstnReq><Envt>${poi}<Card>${isoEnvelope(parts)}</Card></Envt>${contextOf(mode)}</AuthstnReq></AccptrAuthstnReq></Document>`;
}

function saleToPoi({data, ksn, iv}: Sealed, mode: WriteRequest['mode']): object {
  const [first, second] = ksn === undefined ? [] : partsOf(ksn);
  const entry = {swiped: 'MagStripe', emv: 'ICC', keyed: 'Keyed'}[mode];
  return {
    EntryMode: [entry],
    ProtectedCardData: {
      ContentType: 'id-envelopedData',
      EnvelopedData: {
        Recipient: [
          {
            KEK: {
              KEKIdentifier: {
                KeyIdentifier: 'TestKey',
                KeyVersion: '1',
                ...(first === undefined ? {} : {DerivationIdentifier: first}),
              },
              KeyEncryptionAlgorithm: {Algorithm: 'id-dukpt-wrap'},
              ...(second === undefined ? {} : {EncryptedKey: second}),
            },
          },
        ],
        EncryptedContent: {
          ContentType: 'id-data',
          ContentEncryptionAlgorithm: {
            Algorithm: 'des-ede3-cbc',
            ...(iv ? {Parameter: {InitialisationVector: base64Of(iv)}} : {}),
          },
          EncryptedData: data,
        },
      },
    },
  };
}
