import {describe, expect, it} from 'vitest';
import {decrypt} from '../../../src/engine/decrypt.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS, TERMINALS} from '../../../src/engine/families/registry.js';
import {planDecryption} from '../../../src/engine/plan.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import type {EncryptedField} from '../../../src/engine/reading.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {cpuMilliseconds} from '../../cpu-time.js';
import {errorOf} from '../error-of.js';
import {answer, readSamples, ringOf, type SampleKey, TEST_BDK} from '../samples.js';
import {type Encryption, encrypt} from '../terminal.js';

const KSN = 'FFFF9876543210E00041';
const PAN = '4761739001010010';
const TRACK = `${PAN}=25122011143878089`;
const CARD = {PAN, EXPY: '1225', ServiceCode: '201', Discretionary: '1143878089'};
const KEYED = {PAN, EXPY: '1225'};

interface Parts {
  readonly plain?: string;
  readonly options?: Partial<Encryption>;
  readonly algorithm?: string;
  readonly cipher?: string;
  readonly derivation?: string;
  readonly wrapped?: string;
  readonly parameters?: string;
}

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

function envelope({
  plain = `<PlainCardData><Trck2>${TRACK}</Trck2></PlainCardData>`,
  options = {},
  algorithm = 'DKP9',
  cipher = 'E3DC',
  derivation = base64(KSN.slice(0, 10)),
  wrapped = base64(KSN.slice(10)),
  parameters = '',
}: Parts = {}): string {
  const data = encrypt(plain, {ksn: KSN, fill: 'iso7816', ...options}).toString('base64');
  return `<PrtctdCardData><EnvlpdData><Rcpt><KEK><KEKId><KeyId>K</KeyId><DerivtnId>${derivation}</DerivtnId></KEKId><KeyNcrptnAlgo><Algo>${algorithm}</Algo></KeyNcrptnAlgo><NcrptdKey>${wrapped}</NcrptdKey></KEK></Rcpt><NcrptdCntt><CnttNcrptnAlgo><Algo>${cipher}</Algo>${parameters}</CnttNcrptnAlgo><NcrptdData>${data}</NcrptdData></NcrptdCntt></EnvlpdData></PrtctdCardData>`;
}

function ask(devicePayload: string, more: object = {}) {
  const {response, errCode} = answer({deviceType: 'nexo', devicePayload, ...more});
  return response?.extracted ?? errCode;
}

describe('the plaintext of an envelope', () => {
  const date = (text: string) =>
    `<PlainCardData><PAN>${PAN}</PAN><XpryDt>${text}</XpryDt></PlainCardData>`;

  it.each([
    ['2025-12', KEYED],
    ['2025-12-31', KEYED],
    ['20251231', KEYED],
    ['202512', KEYED],
    ['251231', KEYED],
    ['2512', KEYED],
    ['201201', {PAN, EXPY: '1220'}],
    ['12/25', 2601],
    ['202', 2601],
  ])('has an expiry of %s', (text, expected) => {
    expect(ask(envelope({plain: date(text)}))).toEqual(expected);
  });

  it.each([
    [
      'a namespace and a declaration',
      `<?xml version="1.0"?><a:PlainCardData xmlns:a="urn:x"><a:Trck2>${TRACK}</a:Trck2></a:PlainCardData>`,
      CARD,
    ],
    [
      'an unknown element',
      `<PlainCardData><CardSeqNb>00</CardSeqNb><Trck2>${TRACK}</Trck2></PlainCardData>`,
      CARD,
    ],
    ['sentinels', `<PlainCardData><Trck2>;${TRACK}?</Trck2></PlainCardData>`, CARD],
    [
      'the letter D',
      `<PlainCardData><Trck2>${TRACK.replace('=', 'D')}</Trck2></PlainCardData>`,
      CARD,
    ],
    [
      'TrckData of track 2',
      `<PlainCardData><TrckData><TrckNb>2</TrckNb><TrckVal>${TRACK}</TrckVal></TrckData></PlainCardData>`,
      CARD,
    ],
    [
      'a name and CVV',
      `<PlainCardData><PAN>${PAN}</PAN><XpryDt>2025-12</XpryDt><CrdhldrNm>DOE/JANE</CrdhldrNm><CardSctyCd>123</CardSctyCd></PlainCardData>`,
      {...KEYED, FirstName: 'JANE', Surname: 'DOE', CVV: '123'},
    ],
    ['JSON', JSON.stringify({cardNumber: PAN, expiryDate: {month: '12', year: '2025'}}), KEYED],
    [
      'two card numbers',
      `<PlainCardData><PAN>4012888888881881</PAN><Trck2>${TRACK}</Trck2></PlainCardData>`,
      2601,
    ],
    [
      'a card number twice',
      `<PlainCardData><PAN>${PAN}</PAN><PAN>4012888888881881</PAN><XpryDt>2025-12</XpryDt></PlainCardData>`,
      2601,
    ],
    [
      'two expiry dates',
      `<PlainCardData><XpryDt>2026-01</XpryDt><Trck2>${TRACK}</Trck2></PlainCardData>`,
      2601,
    ],
    [
      'two tracks',
      `<PlainCardData><Trck2>${TRACK}</Trck2><Trck2>${TRACK}1</Trck2></PlainCardData>`,
      2601,
    ],
    ['an open element', `<PlainCardData><Trck2>${TRACK}</Trck2>>`, 2601],
    ['an entity', `<PlainCardData><Trck2>&t;</Trck2></PlainCardData>`, 2601],
    ['no card', `<PlainCardData><CardSeqNb>00</CardSeqNb></PlainCardData>`, 2800],
    ['no expiry', `<PlainCardData><PAN>${PAN}</PAN></PlainCardData>`, 2100],
  ])('is read or refused: %s', (_, plain, expected) => {
    expect(ask(envelope({plain}))).toEqual(expected);
  });

  it.each([
    ['NUL8', 'iso7816'],
    ['NULL', 'zero'],
    ['NULG', 'x923'],
    ['LNGT', 'pkcs7'],
  ] as const)('may be padded by %s', (padding, fill) => {
    const stated = `<Param><BPddg>${padding}</BPddg></Param>`;
    expect(ask(envelope({options: {fill}, parameters: stated}))).toEqual(CARD);
    expect(ask(envelope({options: {fill}}))).toEqual(CARD);
  });
});

describe('the key of an envelope', () => {
  const response = (parts: Parts) => `<AccptrAuthstnRspn>${envelope(parts)}</AccptrAuthstnRspn>`;
  const hostKey = {variant: 'data-response', selfEncrypted: true} as const;

  it.each([
    ['DKP9', envelope(), CARD],
    [
      'DKP9 in tags of lower case',
      envelope().replace(/<\/?\w+>/g, (tag) => tag.toLowerCase()),
      CARD,
    ],
    ['DKPT of 2004', envelope({algorithm: 'DKPT', options: {selfEncrypted: false}}), CARD],
    ['DKPT of 2009', envelope({algorithm: 'DKPT'}), CARD],
    ['DKP9 without self-encryption', envelope({options: {selfEncrypted: false}}), 2601],
    ['that of a response', response({options: hostKey}), CARD],
    ['that of a request in a response', response({}), CARD],
    ['that of a response in a request', envelope({options: hostKey}), 2601],
    ['a KSN whole in DerivtnId', envelope({derivation: base64(KSN), wrapped: ''}), CARD],
    ['a KSN of 9 bytes', envelope({wrapped: base64('E0004100')}), 2400],
    ['UKPT', envelope({algorithm: 'UKPT'}), 2111],
    ['an unknown one', envelope({algorithm: 'XXXX'}), 2111],
    ['an unknown cipher', envelope({cipher: 'E36C'}), 2111],
    [
      'an IV of 7 bytes',
      envelope({parameters: '<Param><InitlstnVctr>AAAAAAAAAA==</InitlstnVctr></Param>'}),
      2602,
    ],
  ])('is %s', (_, payload, expected) => {
    expect(ask(payload)).toEqual(expected);
  });

  it('is named by the request where the message has no KSN', () => {
    const payload = envelope({wrapped: ''}).replace(/<DerivtnId>.*<\/DerivtnId>/, '');
    expect(ask(payload, {ksn: KSN})).toEqual(CARD);
    expect(ask(payload)).toBe(2400);
  });
});

describe('a message', () => {
  it.each([
    ['base64 in lines', envelope().replace(/(<NcrptdData>.{20})/, '$1\r\n  '), CARD],
    ['blanks around', `\r\n ${envelope()} \n`, CARD],
    ['comments', `<!-- a --><Card>${envelope()}</Card>`, CARD],
    [
      'a masked number beside it',
      `<Card><MskdPAN>476173******0010</MskdPAN>${envelope()}</Card>`,
      CARD,
    ],
    [
      'another masked number beside it',
      `<Card><MskdPAN>401288******1881</MskdPAN>${envelope()}</Card>`,
      2601,
    ],
    [
      'a PIN block beside it',
      `<Card>${envelope()}<OnLnPIN><NcrptdPINBlck>${envelope({wrapped: base64('E000420000')}).slice(16, -17)}</NcrptdPINBlck></OnLnPIN></Card>`,
      CARD,
    ],
    ['the same envelope twice', `<Card>${envelope()}${envelope()}</Card>`, CARD],
    ['two envelopes', `<Card>${envelope()}${envelope({plain: '<PlainCardData/>'})}</Card>`, 2100],
    ['two documents', envelope() + envelope(), 2100],
    [
      'two recipients with one key',
      envelope().replace('<Rcpt>', '<Rcpt><KeyTrnsprt/></Rcpt><Rcpt>'),
      CARD,
    ],
    [
      'ciphertext twice',
      envelope().replace('<NcrptdData>', '<NcrptdData>AAAAAAAAAAA=</NcrptdData><NcrptdData>'),
      2100,
    ],
    ['no ciphertext', envelope().replace(/<NcrptdData>.*<\/NcrptdData>/, ''), 2100],
    ['no recipient', envelope().replace(/<Rcpt>.*<\/Rcpt>/, ''), 2100],
    ['ciphertext that is no base64', envelope().replace('<NcrptdData>', '<NcrptdData>*'), 2100],
    ['plain card data', `<Card><PlainCardData><PAN>${PAN}</PAN></PlainCardData></Card>`, 2110],
    ['a signature alone', '<SctyTrlr><AuthntcdData/></SctyTrlr>', 2100],
    ['a JSON member twice', '{"ProtectedCardData":{},"ProtectedCardData":{}}', 2100],
  ])('is read or refused: %s', (_, payload, expected) => {
    expect(ask(payload)).toEqual(expected);
  });

  it.each(readSamples('nexo').filter(({expect: {response}}) => response))(
    '$id is recognised, and its parts do not overlap',
    ({request: {devicePayload}}) => {
      expect(recognise(devicePayload, KNOWN_TERMINALS)).toEqual(['nexo']);
      const trace = new Trace();
      readPayload(TERMINALS.nexo, devicePayload, trace);
      let end = 0;
      for (const {offset, length} of trace.parts) {
        expect(offset).toBeGreaterThanOrEqual(end);
        end = offset + length;
      }
      expect(end).toBeLessThanOrEqual(devicePayload.length);
      const parts = trace.parts.map(({name, value}) => `${name.toLowerCase()} ${value}`).join('\n');
      expect(parts).toMatch(/^(?:ncrptddata|encrypteddata|value|payload) [\w+/=]{40,}/im);
    },
  );
});

describe('an envelope for several recipients', () => {
  const OTHER_KSN = 'AAAA9876543210E00007';
  const recipient = (ksn: string) =>
    `<Rcpt><KEK><KEKId><DerivtnId>${base64(ksn.slice(0, 10))}</DerivtnId></KEKId><KeyNcrptnAlgo><Algo>DKP9</Algo></KeyNcrptnAlgo><NcrptdKey>${base64(ksn.slice(10))}</NcrptdKey></KEK></Rcpt>`;
  const own = {kind: 'bdk', hex: TEST_BDK, ksnPrefix: 'FFFF987654'} as const;
  const other = {kind: 'bdk', hex: '9F8011E7E71E483B9F8011E7E71E483B', ksnPrefix: 'AAAA'} as const;
  const first = envelope().replace('<Rcpt>', `${recipient(OTHER_KSN)}<Rcpt>`);
  const last = envelope().replace('</Rcpt>', `</Rcpt>${recipient(OTHER_KSN)}`);
  const cut = envelope().replace('<Rcpt>', `${recipient('AAAA98')}<Rcpt>`);

  it.each<readonly [string, string, readonly SampleKey[], object | number]>([
    ['opens under the only key there is, of the second', first, [own], CARD],
    ['opens under the only key there is, of the first', last, [own], CARD],
    ['opens under the key that is right', first, [own, other], CARD],
    ['opens beside a recipient whose KSN is damaged', cut, [own], CARD],
    ['has no key for any', first, [{...own, ksnPrefix: 'BBBB'}], 2600],
    ['does not open under the key of the other', first, [other], 2601],
  ])('%s', (_, devicePayload, keys, expected) => {
    const {response, errCode} = answer({deviceType: 'nexo', devicePayload}, ringOf(keys));
    expect(response?.extracted ?? errCode).toEqual(expected);
  });

  it.each([
    ['one card', PAN, PAN],
    ['two cards', '4012888888881881', 2601],
  ])('that opens for each of them, as %s', (_, pan, expected) => {
    const reading = readPayload(TERMINALS.nexo, first);
    // No text opens under two keys by chance: what each key opens is put in its place.
    const shown =
      (ksn = ''): EncryptedField['open'] =>
      () => ({pan: ksn === KSN ? PAN : pan, expiry: '2512'});
    const withCards = (field: EncryptedField) => ({...field, open: shown(field.ksn)});
    const {candidates, secondaryFields = []} = reading;
    const changed = {
      ...reading,
      candidates: candidates.map((fields) => fields.map(withCards)),
      secondaryFields: secondaryFields.map(withCards),
    };
    const request = {deviceType: 'nexo', devicePayload: first} as const;
    const keys = ringOf([own, other]);
    const found = () => decrypt(planDecryption(changed, request, keys), keys).pan;
    if (typeof expected === 'string') expect(found()).toBe(expected);
    else expect(errorOf(found).code).toBe(expected);
  });

  it('of a gateway refuses two texts of encrypted data', () => {
    const two = {encryptedData: 'AAAAAAAAAAA=', key: {index: KSN}, keyDerivation: 'DUKPT2009'};
    expect(ask(JSON.stringify({...two, p2pe: {payload: 'AAAAAAAAAAE='}}))).toBe(2100);
  });
});

/** 64 KiB that would take another parser long, or let it read what is elsewhere. */
const FULL = 65_000;
const fill = (unit: string) => unit.repeat(Math.floor(FULL / unit.length));
const BOMB = `<!DOCTYPE a [<!ENTITY a0 "ha">${Array.from({length: 60}, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(30)}">`).join('')}]><Card>&a60;${envelope()}</Card>`;

const HOSTILE: readonly (readonly [string, string])[] = [
  ['entities of entities', BOMB],
  [
    'an external entity',
    `<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><EnvlpdData>&f;</EnvlpdData>`,
  ],
  ['an external document type', '<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><EnvlpdData/>'],
  [
    'a parameter entity',
    '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/x">%p;]><EnvlpdData/>',
  ],
  ['an unknown entity', '<EnvlpdData>&nbsp;</EnvlpdData>'],
  ['a style sheet', '<?xml-stylesheet href="http://127.0.0.1/"?><EnvlpdData/>'],
  [
    'an inclusion',
    '<EnvlpdData xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="/etc/passwd"/></EnvlpdData>',
  ],
  ['deep elements', `${fill('<Rcpt>')}EnvlpdData`],
  ['deep elements, closed', `${'<Rcpt>'.repeat(4900)}<EnvlpdData/>${'</Rcpt>'.repeat(4900)}`],
  ['many elements', `<EnvlpdData>${fill('<a/>')}</EnvlpdData>`],
  [
    'many attributes',
    `<EnvlpdData ${Array.from({length: 6000}, (_, i) => `a${i}=""`).join(' ')}/>`,
  ],
  ['an attribute twice', '<EnvlpdData a="1" a="2"/>'],
  ['many recipients', `<EnvlpdData>${fill('<Rcpt><KEK/></Rcpt>')}</EnvlpdData>`],
  ['a long name', `<EnvlpdData><${fill('a')}/></EnvlpdData>`],
  ['a long text', `<EnvlpdData>${fill('a')}</EnvlpdData>`],
  ['open brackets', `EnvlpdData${fill('<')}`],
  ['character references', `<EnvlpdData>${fill('&#65;')}</EnvlpdData>`],
  ['a huge character reference', '<EnvlpdData>&#x110000;</EnvlpdData>'],
  ['CDATA', `<EnvlpdData>${fill('<![CDATA[a]]>')}</EnvlpdData>`],
  ['an open comment', `<EnvlpdData/><!--${fill('-a')}`],
  ['deep JSON', `${'{"EnvelopedData":'.repeat(3500)}1${'}'.repeat(3500)}`],
  ['long JSON', `{"EnvelopedData":{"Recipient":[${fill('{"KEK":1},').slice(0, -1)}]}}`],
  ['NULs', `<EnvlpdData>${fill('\0')}</EnvlpdData>`],
];

describe('a hostile document', () => {
  it.each(HOSTILE)('gives a typed error at once: %s', (_, devicePayload) => {
    expect(devicePayload.length).toBeLessThanOrEqual(65_536);
    let found: unknown;
    const took = Math.min(
      ...[1, 2, 3].map(() =>
        cpuMilliseconds(() => {
          found = ask(devicePayload);
        }),
      ),
    );
    expect([2100, 2111]).toContain(found);
    expect(took).toBeLessThan(500);
    if (process.env.MEASURE) console.log(took.toFixed(1).padStart(8), _);
  });

  it('is not repeated in the error', () => {
    const {message = ''} = answer({
      deviceType: 'nexo',
      devicePayload: `<EnvlpdData><A${PAN}></B></EnvlpdData>`,
    });
    expect(message).not.toContain(PAN);
  });
});

describe('XML', () => {
  const whole = envelope();

  it.each([
    ['a declaration', `<?xml version="1.0" encoding='UTF-8' standalone="yes" ?>\n${whole}`],
    ['comments and a section', `<!-- <a> --><D><![CDATA[<a> & ]]]><!--x-->${whole}</D><!-- -->`],
    ['spaces in tags', `<D  a = "1>"\n\tb='"'\n><c />${whole}</D >`],
    ['references', `<D a="&#x1F600;">&#128512; &#65; &amp;&lt;&gt;&quot;&apos;${whole}</D>`],
    ['prefixes', `<x:D xmlns:x="urn:x" x:a="1">${whole}</x:D>`],
    ['white space and empty elements', `<D>\r\n<a/>\t<b></b>${whole}\n</D>\n`],
  ])('may have %s', (_, text) => {
    expect(ask(text)).toEqual(CARD);
  });

  it.each([
    ['two roots', `${whole}${whole}`],
    ['text behind the root', `${whole}x`],
    ['a section behind the root', `${whole}<![CDATA[x]]>`],
    ['a declaration behind white space in the document', `<D><?xml version="1.0"?>${whole}</D>`],
    ['a second declaration', `<?xml version="1.0"?><?xml version="1.0"?>${whole}`],
    ['a malformed declaration', `<?xml encoding="UTF-8"?>${whole}`],
    ['an unknown entity', `<D>&copy;${whole}</D>`],
    ['an entity in capitals', `<D>&AMP;${whole}</D>`],
    ['an ampersand', `<D>a & b${whole}</D>`],
    ['a reference to no character', `<D>&#0;${whole}</D>`],
    ['a reference beyond Unicode', `<D a="&#1114112;">${whole}</D>`],
    ['half a surrogate pair', `<D>&#xD83D;${whole}</D>`],
    ['a control character', `<D>\u0001${whole}</D>`],
    ['a control character in a tag', `<D \0a="1">${whole}</D>`],
    ['the end of a section in text', `<D>]]>${whole}</D>`],
    ['an attribute twice', `<D a="1" a="1">${whole}</D>`],
    ['an attribute without quotes', `<D a=1>${whole}</D>`],
    ['an attribute without a value', `<D a>${whole}</D>`],
    ['attributes without a space between them', `<D a="1"b="2">${whole}</D>`],
    ['a bracket in an attribute', `<D a="<">${whole}</D>`],
    ['crossed elements', `<D><c>${whole}</D></c>`],
  ])('must not have %s', (_, text) => {
    expect(ask(text)).toBe(2100);
  });

  it.each([
    ['', 0],
    ['<e', 2],
    ['</e></D>', 0],
  ])('that ends with %j is shown up to there', (rest, further) => {
    const text = '<?xml version="1.0"?>\n<D a="1">\n<c>A&amp;B</c><!-- - --><d/>';
    const trace = new Trace({recording: true});
    const detail = `XML at character ${text.length + further}: not well-formed`;
    expect(errorOf(() => readPayload(TERMINALS.nexo, text + rest, trace))).toMatchObject({detail});
    const shown = trace.parts.map(({offset, length}) => text.slice(offset, offset + length));
    expect(shown).toEqual(['<D a="1">', '<c>A&amp;B</c>', '<d/>']);
  });
});

describe('the key of the specification', () => {
  const published = readSamples('nexo').find(({id}) => id === 'nexo-response');

  it('is among the test keys, for its KSNs alone', () => {
    const {devicePayload = ''} = published?.request ?? {};
    const {response} = answer({deviceType: 'nexo', devicePayload}, testKeyRing());
    expect(response?.extracted.PAN).toMatch(/^\d{16}$/);
    expect(ask(envelope())).toEqual(CARD);
  });

  it('opens all but the first block without the IV, which is 2602', () => {
    const devicePayload = published?.request.devicePayload.replace(
      /<(\w+:)?InitlstnVctr>[^<]*<\/(\w+:)?InitlstnVctr>/,
      '',
    );
    expect(devicePayload).not.toBe(published?.request.devicePayload);
    expect(
      answer({deviceType: 'nexo', devicePayload: devicePayload ?? ''}, testKeyRing()).errCode,
    ).toBe(2602);
  });
});
