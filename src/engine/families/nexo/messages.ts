import {base64Of, bytesFromHex} from '../../../platform/bytes.js';
import type {WriteRequest} from '../../writing.js';
import {FIRST_PART} from './layout.js';

/** The variable parts of an envelope. */
export interface EnvelopeParts {
  readonly isAes: boolean;
  /** The algorithm that derives a TDES key. */
  readonly derivation: string;
  /** Base64 or hex, as the form has it. */
  readonly data: string;
  /** Hex. */
  readonly ksn: string;
  readonly iv?: Uint8Array;
}

type NexoMessage = (parts: EnvelopeParts, request: WriteRequest) => string;

/** Both parts of a KSN in base64. */
function ksnParts(ksn: string): readonly [string, string] {
  const bytes = bytesFromHex(ksn) ?? new Uint8Array();
  const cut = FIRST_PART[bytes.length] ?? 0;
  return [base64Of(bytes.subarray(0, cut)), base64Of(bytes.subarray(cut))];
}

function isoEnvelope({isAes, derivation, data, ksn, iv}: EnvelopeParts): string {
  const [first, second] = ksnParts(ksn);
  const keyId = `<KeyId>TestKey</KeyId><KeyVrsn>1</KeyVrsn><DerivtnId>${first}</DerivtnId>`;
  const key = `<KEK><KEKId>${keyId}</KEKId><KeyNcrptnAlgo><Algo>${isAes ? 'DA12' : derivation}</Algo></KeyNcrptnAlgo><NcrptdKey>${second}</NcrptdKey></KEK>`;
  const settings = `<InitlstnVctr>${iv && base64Of(iv)}</InitlstnVctr>`;
  const cipher = `<Algo>${isAes ? 'EA2C' : 'E3DC'}</Algo>${iv ? `<Param>${settings}</Param>` : ''}`;
  return `<PrtctdCardData><CnttTp>EVLP</CnttTp><EnvlpdData><Rcpt>${key}</Rcpt><NcrptdCntt><CnttTp>DATA</CnttTp><CnttNcrptnAlgo>${cipher}</CnttNcrptnAlgo><NcrptdData>${data}</NcrptdData></NcrptdCntt></EnvlpdData></PrtctdCardData>`;
}

const ISO_ENTRY_MODES: Readonly<Record<WriteRequest['mode'], string>> = {
  swiped: 'MGST',
  emv: 'CICC',
  keyed: 'PHYS',
};

const NEXO_MESSAGES = {
  card: (parts, {mode}) =>
    mode === 'emv' ? isoRequest(parts, mode, '') : `<Card>${isoEnvelope(parts)}</Card>`,
  request: (parts, {mode, serial}) => isoRequest(parts, mode, serial ?? ''),
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
} as const satisfies Readonly<Record<string, NexoMessage>>;

/** The message that one of the forms of the option puts around an envelope. */
export function nexoMessage(form: string): NexoMessage {
  return NEXO_MESSAGES[form as keyof typeof NEXO_MESSAGES];
}

function contextOf(mode: WriteRequest['mode']): string {
  return `<Cntxt><PmtCntxt><CardDataNtryMd>${ISO_ENTRY_MODES[mode]}</CardDataNtryMd></PmtCntxt></Cntxt>`;
}

function isoRequest(parts: EnvelopeParts, mode: WriteRequest['mode'], serial: string): string {
  const poi =
    serial === ''
      ? ''
      : `<POI><Cmpnt><Tp>TERM</Tp><Id><SrlNb>${serial.replaceAll(/[<>&]/g, '')}</SrlNb></Id></Cmpnt></POI>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:caaa.001.001.02"><AccptrAuthstnReq><AuthstnReq><Envt>${poi}<Card>${isoEnvelope(parts)}</Card></Envt>${contextOf(mode)}</AuthstnReq></AccptrAuthstnReq></Document>`;
}

function saleToPoi({data, ksn, iv}: EnvelopeParts, mode: WriteRequest['mode']): object {
  const [first, second] = ksnParts(ksn);
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
                DerivationIdentifier: first,
              },
              KeyEncryptionAlgorithm: {Algorithm: 'id-dukpt-wrap'},
              EncryptedKey: second,
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
