import {describe, expect, it} from 'vitest';
import {
  errorResponse,
  processPayloadResponse,
  validationResponse,
} from '../../src/contract/interface-schema.js';

const MESSAGE_ID = '1201607010023571033712211';
const TRACK = {decrypted: '3B', ascii: ';', encoding: 'hex', length: 1, masked: ';'};
const PAYLOAD = {
  success: true,
  messageId: MESSAGE_ID,
  meta: {device: 'ID TECH', serial: '1', mode: 'swiped'},
  extracted: {PAN: '4111111111111111', EXPY: '1225'},
};
const ERROR = {success: false, errCode: 2101, errMessage: 'Payload damaged'};

describe('the schema of a validation', () => {
  it.each([
    ['the least', {}, true],
    ['a reference', {reference: 'r'}, true],
    ['a failure', {success: false}, false],
    ['24 digits', {messageId: MESSAGE_ID.slice(1)}, false],
    ['26 digits', {messageId: `${MESSAGE_ID}1`}, false],
    ['a letter before the digits', {messageId: `x${MESSAGE_ID}`}, false],
    ['a number for the reference', {reference: 1}, false],
  ])('judges %s', (_, members, accepted) => {
    const answer = {success: true, messageId: MESSAGE_ID, ...members};
    expect(validationResponse.safeParse(answer).success).toBe(accepted);
  });
});

describe('the schema of a payload', () => {
  it.each([
    ['the least', {}, true],
    ['a failure', {success: false}, false],
    ...['keyed', 'swiped', 'emv'].map((mode) => [mode, {meta: {...PAYLOAD.meta, mode}}, true]),
    ['another mode', {meta: {...PAYLOAD.meta, mode: 'tapped'}}, false],
    ['a serial that is no text', {meta: {...PAYLOAD.meta, serial: 1}}, false],
    ...['track1', 'track2', 'track3'].flatMap((member) => [
      [`${member} in hex`, {[member]: TRACK}, true],
      [`${member} in base64`, {[member]: {...TRACK, encoding: 'base64'}}, true],
      [`${member} in ascii`, {[member]: {...TRACK, encoding: 'ascii'}}, false],
    ]),
    ...['track2equivalent', 'keyed'].flatMap((member) => [
      [`${member} in hex`, {[member]: TRACK}, true],
      [`${member} in ascii`, {[member]: {...TRACK, encoding: 'ascii'}}, true],
      [`${member} in base64`, {[member]: {...TRACK, encoding: 'base64'}}, false],
    ]),
    ['a length in halves', {track1: {...TRACK, length: 0.5}}, false],
    ['a tlv', {tlv: {decrypted: '5A'}}, true],
    ['a tlv without its bytes', {tlv: {}}, false],
    ...[11, 12, 19, 20].map((length) => [
      `a PAN of ${length} digits`,
      {extracted: {...PAYLOAD.extracted, PAN: '4'.repeat(length)}},
      length >= 12 && length <= 19,
    ]),
    ['a PAN behind a letter', {extracted: {PAN: 'x4111111111111111', EXPY: '1225'}}, false],
    ['a PAN before a letter', {extracted: {PAN: '4111111111111111x', EXPY: '1225'}}, false],
    ['an EXPY of three digits', {extracted: {...PAYLOAD.extracted, EXPY: '122'}}, false],
    ['an EXPY behind a letter', {extracted: {...PAYLOAD.extracted, EXPY: 'x1225'}}, false],
    ['an EXPY before a letter', {extracted: {...PAYLOAD.extracted, EXPY: '1225x'}}, false],
  ] as [string, object, boolean][])('judges %s', (_, members, accepted) => {
    expect(processPayloadResponse.safeParse({...PAYLOAD, ...members}).success).toBe(accepted);
  });
});

describe('the schema of an error', () => {
  it.each([
    ['the least', {}, true],
    ['a messageId and a reference', {messageId: MESSAGE_ID, reference: 'r'}, true],
    ['a success', {success: true}, false],
    ['a code that only the command line gives', {errCode: 9001}, false],
    ['a code of none', {errCode: 2102.5}, false],
  ])('judges %s', (_, members, accepted) => {
    expect(errorResponse.safeParse({...ERROR, ...members}).success).toBe(accepted);
  });
});
