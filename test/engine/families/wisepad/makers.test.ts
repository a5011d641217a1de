import {describe, expect, it} from 'vitest';
import {makerOfTruncated} from '../../../../src/engine/families/wisepad/maker-of-truncated.js';
import {makerOfMembers, makerOfTags} from '../../../../src/engine/families/wisepad/makers.js';
import {readTlv} from '../../../../src/engine/tlv/ber.js';

const KSN = '0A88888833000043E0001C';
const ONLINE = `C0${KSN}C208A1B2C3D4E5F6A7B8`;

describe('the maker of a dictionary', () => {
  it.each([
    [[], '60', false, 'BBPOS'],
    [[], '54', false, 'BBPOS'],
    [[], '30', true, 'DSpread'],
    [[], 'FF', false, 'DSpread'],
    [['BBPOS'], undefined, false, 'BBPOS'],
    [['DSpread'], undefined, true, 'DSpread'],
    [['DSpread'], '60', false, 'BBPOS'],
    [['BBPOS'], '30', false, 'BBPOS'],
    [['BBPOS', 'DSpread'], '30', false, 'DSpread'],
    [['BBPOS', 'DSpread'], undefined, false, 'BBPOS'],
    [[], undefined, true, 'BBPOS'],
    [[], undefined, false, 'either'],
    [[], 'ZZ', false, 'either'],
  ] as const)('with members of %j, format %s, ksn %s: %s', (makers, formatId, hasKsn, maker) => {
    expect(makerOfMembers({makers: new Set(makers), formatId, hasKsn})).toBe(maker);
  });
});

describe('the maker of a message', () => {
  it.each([
    [ONLINE, 'either'],
    [`${ONLINE}C80811223344556677FF`, 'BBPOS'],
    [`${ONLINE}9908112233445566778F`, 'BBPOS'],
    [`${ONLINE}DF826E0131`, 'BBPOS'],
    [`${ONLINE}DF826E00`, 'either'],
    [`${ONLINE}C708A1B2C3D4E5F6A7B8`, 'DSpread'],
    [`${ONLINE}C7${KSN}`, 'BBPOS'],
    [`${ONLINE}D01000112233445566778899AABBCCDDEEFF`, 'DSpread'],
    [`${ONLINE}D0080011223344556677`, 'either'],
    [`E0${(ONLINE.length / 2 + 10).toString(16)}${ONLINE}C708A1B2C3D4E5F6A7B8`, 'DSpread'],
  ])('%s is %s', (list, maker) => {
    expect(makerOfTags(readTlv(new Uint8Array(Buffer.from(list, 'hex'))).objects)).toBe(maker);
  });
});

describe('the maker of a payload without its end', () => {
  it.each([
    [`C0${KSN}C2`, 'either'],
    [`C0${KSN}C2820`, 'either'],
    [`0040C0${KSN}C708A1B2C3D4E5F6A7B8C2`, 'DSpread'],
    [`00000040C0${KSN}DC02`, 'either'],
    [`C0${KSN}C904A1B2C3D4`, 'BBPOS'],
    ['C00A8888', undefined],
    ['C0098888330000430001C2', undefined],
    ['4761739001010010', undefined],
    ['{formatID=60, ksn=8888', 'BBPOS'],
    ['{"formatID": "30", "encTrack1": "A1', 'DSpread'],
    ['formatID_FF,maskedPAN', 'DSpread'],
    ['{formatID=99, encTracks=A1', undefined],
    ['{trackksn=8888, encTracks=A1', 'DSpread'],
    ['{randomNumber=88, encTracks=A1', 'BBPOS'],
    ['{psamNo=1234, name=A', undefined],
    ['hello', undefined],
  ])('%s: %s', (payload, maker) => {
    expect(makerOfTruncated(payload)).toBe(maker);
  });
});
