import {describe, expect, it} from 'vitest';
import {TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {answer, readSamples, ringOf} from '../samples.js';
import {encrypt, lrcOf, tlv} from '../terminal.js';

const KSN = 'FFFF9876543210E00E01';
const PAN = '4012888888881881';
const TRACK_2 = `;${PAN}=28012010000000000000?`;
const CIPHER = encrypt(TRACK_2 + lrcOf(TRACK_2), {ksn: KSN}).toString('hex');

function read(devicePayload: string) {
  return answer({deviceType: 'phressiapad', devicePayload});
}

function formOf(devicePayload: string): string {
  return readPayload(TERMINALS.phressiapad, devicePayload).form;
}

/** The payload of a sample that another type answers. */
function sampleOf(type: string, id: string) {
  const found = readSamples(type).find((known) => known.id === id);
  if (!found) throw new Error(`no sample ${id}`);
  return found;
}

const json = JSON.stringify({ksn: KSN, track2: CIPHER});
const pairs = `serial=PP-7;ksn=${KSN};track2=${CIPHER}`;
const vipa = tlv('FF7F', Buffer.concat([tlv('DFDF11', KSN), tlv('DFDF10', CIPHER)])).toString(
  'hex',
);
const magtek = sampleOf('extras', 'magtek-magnesafe-v5').request.devicePayload;
const prima = sampleOf('prima', 'prima-3trk').request.devicePayload;
const frame = sampleOf('idtech', 'securemag-enh-3trk-hex').request.devicePayload;
/** The same record without STX and length in front and LRC, CheckSum, ETX behind. */
const enhanced = frame.slice(6, -6);

describe('phressiapad tells the forms of others apart:', () => {
  it.each([
    ['a JSON object', json, /JSON/],
    ['ksn= pairs', pairs, /key=value/],
    ['an ID TECH frame', frame, /enhanced layout/],
    ['a Prima M record', prima, /Prima/],
    ['the enhanced record without its frame', enhanced, /enhanced layout/],
    ['a MagneSafe string', magtek, /MagneSafe/],
    ['VIPA tags', vipa, /VIPA/],
  ])('%s', (_, payload, form) => {
    expect(formOf(payload)).toMatch(form);
    expect(formOf(payload)).toMatch(/\(inferred\)$/);
    const found = answer(
      {deviceType: 'phressiapad', devicePayload: payload},
      ringOf([{kind: 'bdk', hex: '0123456789ABCDEFFEDCBA9876543210'}]),
    );
    expect(found).toMatchObject({response: {meta: {device: 'PHREESIA'}}});
  });

  it('opens the published MagneSafe string under the PIN key', () => {
    expect(read(magtek)).toMatchObject({
      response: {
        meta: {mode: 'swiped', serial: 'FFFF9876543210'},
        track1: {ascii: '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?'},
        track3: {ascii: '+5163499080020445=000000000000?'},
        extracted: {PAN: '5452300551227189', EXPY: '0408', Surname: 'HOGAN', FirstName: 'PAUL'},
      },
    });
  });

  it('takes the blanks of a MagneSafe card number, in clear and masked', () => {
    const ksn = 'FFFF9876543210E00008';
    const track = encrypt('%B3742 450017 51006^TEST/CARD^28122011111?', {ksn, variant: 'pin'});
    for (const pan of ['3742 000000 01006', '374200000001006']) {
      const copy = `%B${pan}^TEST/CARD^28120000000?`;
      const fields = [copy, '0600', track.toString('hex'), '', '', '', '', '', '', ksn, '', '', ''];
      const found = read(fields.join('|'));
      expect(found).toMatchObject({response: {extracted: {PAN: '374245001751006'}}});
    }
  });

  it('answers 2601 when the masked copy of a MagneSafe string shows another card', () => {
    expect(read(magtek.replace(';5452', ';5453'))).toMatchObject({errCode: 2601});
  });

  it.each([
    ['a MagneSafe string that ends before its KSN', magtek.split('|').slice(0, 9).join('|'), 2100],
    ['a MagneSafe string with half a block', magtek.replace('724C5DB7', ''), 2102],
    ['a broken JSON object', json.slice(0, -1), 2100],
    ['a frame that is cut', frame.slice(0, -8), 2102],
    ['a record that is cut', prima.slice(0, -8), 2102],
    ['VIPA tags that are cut', vipa.slice(0, -8), 2102],
    ['clear text', 'hello pad', 2100],
    ['another TLV list', '9F0206000000001000', 2100],
  ])('%s answers with the code of its form', (_, payload, errCode) => {
    expect(read(payload)).toMatchObject({errCode});
  });
});
