import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../../src/engine/families/registry.js';
import type {AnyTerminal} from '../../../src/engine/families/terminal.js';
import type {TerminalSet} from '../../../src/engine/families/terminal-set.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {errorOf} from '../error-of.js';

/** The read of one ABECS track: a block in place of the card number (docs/terminals/abecs.md#pan). */
const PAN_BLOCK = 'BA4F4729D58CAA7DA^NOME NOME NOME NOME NOME N^0905060640431';
const DE_127 = '8A8545F9B8A2EB14BB7EF3220E69601F35791119D5D900665AAADBC72248DDF6';
const VALUE = '85A8A7F9390FD19EABC40B5D624190287D729923D9EDAFE9F24773388A9A1BEF';
const OTHER = '5FE760EBFEFF77954C4DAD4DC3CCF106BBFC1B7C5072C0C1';
const BLOCK = 'C8CA5125744E7D5B';

function refusal(type: string, payload: string, terminals: TerminalSet = KNOWN_TERMINALS) {
  const terminal = terminals.get(type);
  const {code, detail} = errorOf(() => readPayload(terminal, payload, undefined, terminals));
  return {code, detail};
}

describe('a request that names another terminal', () => {
  it.each([
    ['bbpos', `poiType: newland\ntrack1: ${VALUE}`, 'newland'],
    ['spire', `{"card":{"track1data":"${VALUE}"}}`, 'poynt'],
    ['poynt', `vendor: Spire\ntrack2: ${VALUE}`, 'spire'],
    ['abecs', JSON.stringify({track1: PAN_BLOCK, vendor: 'newland'}), 'newland'],
    ['ifsf', `vendor: bbpos\nDE-127: ${DE_127}`, 'bbpos'],
    ['newland', `poiType: newland\ntrack1: ${VALUE}\nDE-127: ${DE_127}`, 'ifsf'],
  ])('as %s: 2100', (type, payload, other) => {
    expect(refusal(type, payload)).toStrictEqual({
      code: 2100,
      detail: `the text is also of ${other}`,
    });
  });
});

describe('a read of another terminal', () => {
  it.each([
    [
      'generic',
      `{"encTrack2":"${OTHER}","data":"${VALUE}"}`,
      'member encTrack2: a read of wisepad',
    ],
    ['generic', `data=${VALUE};encPan=${BLOCK}`, 'member encpan: a read of wisepad'],
    ['ifsf', `de127: ${DE_127}\nencTrack1: ${OTHER}`, 'member encTrack1: a read of wisepad'],
    ['ifsf', `{"de127":"${DE_127}","encTrack2":"${OTHER}"}`, 'member encTrack2: a read of wisepad'],
    ...['ingenico-rba', 'wisepad', 'wisepad2', 'generic', 'phressiapad', 'idtech'].map((type) => [
      type,
      `data=${VALUE}\n${PAN_BLOCK}`,
      'a track with an encrypted card number: a read of abecs',
    ]),
  ])('as %s, in %s: 2100', (type, payload, expected) => {
    const detail = `${expected} beside this one`;
    expect(refusal(type, payload)).toStrictEqual({code: 2100, detail});
  });

  const envelope = {
    ProtectedCardData: {EnvelopedData: {EncryptedContent: {EncryptedData: 'AA=='}}},
  };
  const ksn = 'FFFF9876543210E00001';

  it.each([
    ['newland', {poiType: 'newland', ksn, track1: VALUE, other: envelope}],
    ['generic', {ksn, data: VALUE, ...envelope}],
    ['wisepad', {ksn, formatID: '60', encTrack2: VALUE, raw: JSON.stringify(envelope)}],
    ['abecs', {track1: PAN_BLOCK, raw: `<Doc><x:EnvlpdData>${VALUE}</x:EnvlpdData></Doc>`}],
    ['generic', {ksn, data: VALUE, raw: `<Doc><EnvlpdData>${VALUE}</EnvlpdData></Doc>`}],
  ])('as %s, beside an envelope of nexo: 2100', (type, members) => {
    const detail = 'an envelope of card data: a read of nexo beside this one';
    expect(refusal(type, JSON.stringify(members))).toStrictEqual({code: 2100, detail});
  });

  it('is none in a member that is merely called as an envelope is', () => {
    const payload = JSON.stringify({data: VALUE, protectedCardData: 'none'});
    const terminal = KNOWN_TERMINALS.get('generic');
    expect(readPayload(terminal, payload, undefined, KNOWN_TERMINALS).form).toMatch(/^JSON/);
  });

  it.each(['', null])('is none in a member whose value is %j', (value) => {
    const terminal = KNOWN_TERMINALS.get('generic');
    const payload = JSON.stringify({encTrack2: value, data: VALUE});
    expect(readPayload(terminal, payload, undefined, KNOWN_TERMINALS).form).toMatch(/^JSON/);
  });
});

describe('a twentieth terminal', () => {
  const acme: AnyTerminal = {
    type: 'acme',
    manufacturer: 'ACME',
    recognises: false,
    read: () => ({form: 'ACME', candidates: []}),
    about: async () => ({summary: '', evidence: 'inferred'}) as never,
    claims: (payload) => /vendor: acme/i.test(payload),
    exclusive: true,
    signs: {
      tags: new Set(['DFAC01']),
      text: (payload) => (payload.includes('~ACME~') ? 'an ACME header' : undefined),
    },
  };
  const twenty = KNOWN_TERMINALS.with([acme]);

  it.each([
    ['generic', `data=${VALUE};note=~ACME~`, 'an ACME header'],
    [
      'miura',
      `E120DFAE0208${'A5'.repeat(8)}DFAE030AFFFF9876543210E00001DFAC0102A5A5`,
      'tag DFAC01 at 28',
    ],
  ])('finds its read in a payload of %s', (type, payload, sign) => {
    const detail = `${sign}: a read of acme beside this one`;
    expect(refusal(type, payload, twenty)).toStrictEqual({code: 2100, detail});
    expect(
      readPayload(KNOWN_TERMINALS.get(type), payload, undefined, KNOWN_TERMINALS).refusal,
    ).toBeUndefined();
  });

  it('is named by a request', () => {
    const payload = `vendor: acme\ntrack2: ${VALUE}`;
    const detail = 'the text is also of acme';
    expect(refusal('newland', payload, twenty)).toStrictEqual({code: 2100, detail});
    expect(twenty.trying('vendor: acme').map(({type}) => type)).not.toContain('generic');
    expect(KNOWN_TERMINALS.trying('vendor: acme').map(({type}) => type)).toContain('generic');
  });
});
