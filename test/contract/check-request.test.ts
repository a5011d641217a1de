import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {checkProcessPayload} from '../../src/contract/check-request.js';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {
  processPayloadRequest,
  validateDeviceRequest,
  validatePartnerRequest,
} from '../../src/contract/request-schema.js';

const BODY = {deviceType: 'idtech', devicePayload: '02'};

function errorOf(body: Record<string, unknown>): string {
  try {
    checkProcessPayload(body);
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
    ['a number for a text', {...BODY, ksn: 7}, '2005 ksn: expected a string, found a number'],
    ['null for a text', {...BODY, iv: null}, '2005 iv: expected a string, found null'],
    [
      'a list for a text',
      {...BODY, reference: []},
      '2005 reference: expected a string, found an array',
    ],
    [
      'a number for a credential',
      {...BODY, partnerKey: 1},
      '2005 partnerKey: expected a string, found a number',
    ],
    [
      'an object for the type',
      {...BODY, deviceType: {}},
      '2005 deviceType: expected a string, found an object',
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

describe('the schemas of the validation requests', () => {
  it('validate-partner needs nothing in the body when a header authenticates', () => {
    expect(validatePartnerRequest.safeParse({}).success).toBe(true);
  });

  it.each(['serial', 'firmware'])('validate-device needs %s', (member) => {
    const body: Record<string, string> = {serial: '1', firmware: '2'};
    delete body[member];
    expect(validateDeviceRequest.safeParse(body).success).toBe(false);
  });
});
