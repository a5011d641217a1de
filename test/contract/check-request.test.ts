import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
  checkProcessPayload,
  checkValidateDevice,
  checkValidatePartner,
} from '../../src/contract/check-request.js';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {
  processPayloadRequest,
  validateDeviceRequest,
  validatePartnerRequest,
} from '../../src/contract/interface-schema.js';
import {PaylensError, resultOrError} from '../../src/contract/paylens-error.js';

type Check = (body: Record<string, unknown>) => unknown;

const BODY = {deviceType: 'idtech', devicePayload: '02'};

function errorOf(body: Record<string, unknown>, check: Check = checkProcessPayload): string {
  try {
    check(body);
  } catch (error) {
    if (error instanceof PaylensError) return `${error.code} ${error.detail}`.trim();
  }
  return 'accepted';
}

describe('checkProcessPayload', () => {
  it('takes the parameters and leaves credentials and unknown members out', () => {
    const body = {...BODY, partnerId: 'p', partnerKey: 'k', more: [1], ksn: 'F', clientId: 'c'};
    expect(checkProcessPayload(body)).toEqual({...BODY, ksn: 'F', clientId: 'c'});
  });

  it.each([
    [2002, 'devicePayload', {deviceType: 'idtech', device_payload: '02'}, 'device_payload'],
    [2002, 'devicePayload', {deviceType: 'idtech', payload: '02'}, 'payload'],
    [2002, 'devicePayload', {deviceType: 'idtech', Payload: '02'}, 'Payload'],
    [2000, 'deviceType', {DeviceType: 'idtech', devicePayload: '02'}, 'DeviceType'],
  ])('refuses with %i, and says what stands for %s', (code, name, body, given) => {
    expect(resultOrError(() => checkProcessPayload(body))).toMatchObject({
      code,
      hint: `The request has "${given}": its name must be ${name}.`,
    });
  });

  it.each([
    ['two that may be meant', {devicepayload: '02', device_payload: '02'}],
    ['no text', {devicepayload: 5}],
    ['an empty text', {devicepayload: ''}],
    ['letters of another script', {'devicePayload\u0439': '02'}],
    ['a line break', {'device\nPayload': '02'}],
    ['a long name', {[`device${'-'.repeat(99)}Payload`]: '02'}],
  ])('names no member where it has %s', (_, body) => {
    const {hint} = new PaylensError(2002);
    const error = resultOrError(() => checkProcessPayload({deviceType: 'idtech', ...body}));
    expect(error).toMatchObject({code: 2002, hint});
  });

  it.each(['ksn', 'iv', 'deviceSerial', 'clientId'])('takes an empty %s as missing', (member) => {
    expect(checkProcessPayload({...BODY, [member]: ''})).toEqual(BODY);
  });

  it('keeps an empty reference, because it is echoed as sent', () => {
    expect(checkProcessPayload({...BODY, reference: ''}).reference).toBe('');
  });

  it('accepts a reference of 50 characters beyond the basic plane', () => {
    expect(errorOf({...BODY, reference: '😀'.repeat(50)})).toBe('accepted');
  });

  it('does not read inherited members', () => {
    expect(errorOf(Object.create(BODY))).toBe('2000');
  });

  it.each([
    ...['partnerId', 'partnerKey', 'deviceType', 'devicePayload', 'deviceSerial'],
    ...['ksn', 'iv', 'reference', 'clientId'],
  ])('refuses a number as %s', (member) => {
    expect(errorOf({...BODY, [member]: 7})).toBe(
      `2005 ${member}: expected a string, found a number`,
    );
  });

  it('takes every member', () => {
    const more = {deviceSerial: 's', ksn: 'k', iv: 'i', reference: 'r', clientId: 'c'};
    expect(checkProcessPayload({...BODY, ...more})).toEqual({...BODY, ...more});
  });

  it.each([
    ['null for a text', {...BODY, iv: null}, '2005 iv: expected a string, found null'],
    [
      'a list for a text',
      {...BODY, reference: []},
      '2005 reference: expected a string, found an array',
    ],
    [
      'an object for the type',
      {...BODY, deviceType: {}},
      '2005 deviceType: expected a string, found an object',
    ],
    [
      'half a pair in the reference',
      {...BODY, reference: 'x\ud83d'},
      '2005 reference: expected valid Unicode, found an unpaired surrogate',
    ],
    ['a reference of 51 characters', {...BODY, reference: 'x'.repeat(51)}, '2003 it has 51'],
    ['no type', {devicePayload: '02'}, '2000'],
    ['an empty type', {...BODY, deviceType: ''}, '2000'],
    [
      'an unknown type',
      {...BODY, deviceType: 'IDTECH'},
      `2001 expected one of ${DEVICE_TYPES.join(', ')}`,
    ],
    ['no payload', {deviceType: 'idtech'}, '2002'],
    ['an empty payload', {...BODY, devicePayload: ''}, '2002'],
  ])('refuses %s', (_, body, error) => {
    expect(errorOf(body)).toBe(error);
  });

  it.each([
    ['2005 before 2003', {ksn: 7, reference: 'x'.repeat(51)}, 2005],
    ['2003 before 2000', {reference: 'x'.repeat(51)}, 2003],
    ['2000 before 2002', {}, 2000],
    ['2001 before 2002', {deviceType: 'x'}, 2001],
  ])('answers %s', (_, body, code) => {
    expect(errorOf(body).slice(0, 4)).toBe(String(code));
  });

  it('accepts exactly the bodies that the schema accepts', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'x', 'x'.repeat(51), '😀'.repeat(30)),
      fc.constant(1),
    );
    const deviceType = fc.constantFrom(...DEVICE_TYPES, '', 'other', null);
    const names = ['devicePayload', 'ksn', 'iv', 'reference', 'clientId', 'partnerId', 'other'];
    const members = Object.fromEntries(names.map((name) => [name, text]));
    const body = fc.record({deviceType, ...members}, {requiredKeys: ['deviceType']});
    fc.assert(
      fc.property(body, (candidate) => {
        const accepted = errorOf(candidate) === 'accepted';
        expect(accepted).toBe(processPayloadRequest.safeParse(candidate).success);
      }),
      {numRuns: 500},
    );
  });
});

const LONG = 'x'.repeat(51);
const DEVICE = {serial: 's', firmware: 'f'};

describe('checkValidatePartner', () => {
  it.each([
    ['partnerId', {partnerId: 1}, '2005 partnerId: expected a string, found a number'],
    ['partnerKey', {partnerKey: 1}, '2005 partnerKey: expected a string, found a number'],
    ['reference', {reference: 1}, '2005 reference: expected a string, found a number'],
    ['the length of the reference', {reference: LONG}, '2003 it has 51'],
    ['nothing else', {serial: 1}, 'accepted'],
  ])('checks %s', (_, body, error) => {
    expect(errorOf(body, checkValidatePartner)).toBe(error);
  });
});

describe('checkValidateDevice', () => {
  it('takes serial number, firmware and client', () => {
    expect(checkValidateDevice({...DEVICE, clientId: 'c', partnerId: 'p'})).toEqual({
      ...DEVICE,
      clientId: 'c',
    });
  });

  it('takes an empty client as missing', () => {
    expect(checkValidateDevice({...DEVICE, clientId: ''}).clientId).toBeUndefined();
  });

  it.each(['partnerId', 'partnerKey', 'reference', 'serial', 'firmware', 'clientId'])(
    'refuses a number as %s',
    (member) => {
      expect(errorOf({...DEVICE, [member]: 7}, checkValidateDevice)).toBe(
        `2005 ${member}: expected a string, found a number`,
      );
    },
  );

  it.each([
    ['2005 before 2003', {serial: 7, reference: LONG}, 2005],
    ['2003 before 1201', {reference: LONG}, 2003],
    ['1201 before 1204', {}, 1201],
    ['1201 for an empty serial number', {...DEVICE, serial: ''}, 1201],
    ['1204 without firmware', {serial: 's'}, 1204],
    ['1204 for empty firmware', {...DEVICE, firmware: ''}, 1204],
  ])('answers %s', (_, body, code) => {
    expect(errorOf(body, checkValidateDevice).slice(0, 4)).toBe(String(code));
  });
});

describe('the schemas of the validation requests', () => {
  it.each([
    [50, true],
    [51, false],
  ])('take a reference of %i characters: %s', (length, accepted) => {
    const body = {reference: '😀'.repeat(length)};
    expect(validatePartnerRequest.safeParse(body).success).toBe(accepted);
  });

  it('take a serial number and a firmware of one character', () => {
    expect(validateDeviceRequest.safeParse({serial: '1', firmware: '2'}).success).toBe(true);
  });

  it.each(['serial', 'firmware'])('refuse an empty %s', (member) => {
    const body = {serial: '1', firmware: '2', [member]: ''};
    expect(validateDeviceRequest.safeParse(body).success).toBe(false);
  });

  it('validate-partner needs nothing in the body when a header authenticates', () => {
    expect(validatePartnerRequest.safeParse({}).success).toBe(true);
  });

  it.each(['serial', 'firmware'])('validate-device needs %s', (member) => {
    const body: Record<string, string> = {serial: '1', firmware: '2'};
    delete body[member];
    expect(validateDeviceRequest.safeParse(body).success).toBe(false);
  });
});
