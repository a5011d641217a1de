import {describe, expect, test} from 'vitest';
import type {InspectedRequest} from '../../../src/contract/control/inspected-request.js';
import {FURTHER_TYPES} from '../../../src/engine/families/registry.js';
import {rowFilter} from '../../../src/page/inspector/row-filter.js';

const about = {process: 1, time: '2026-01-02T03:04:05.000Z', messageId: '12026010203040500000000'};
const ROWS: readonly InspectedRequest[] = [
  {
    ...about,
    sequence: 1,
    operation: 'process-payload',
    target: '/api/v1/decrypt/parser',
    status: 200,
    partnerId: 'DEMO',
    deviceType: 'idtech',
    ksn: '62994901190000000003',
    reference: 'card:amex',
  },
  {
    ...about,
    sequence: 2,
    operation: 'validate-device',
    target: '/api/v1/device/validate',
    status: 400,
    errCode: 1204,
    partnerId: 'WATERFORD',
    serial: 'DEMO0003',
    reference: 'order-200',
  },
  {
    ...about,
    sequence: 3,
    method: 'POST',
    target: '/nowhere?a=b',
    status: 404,
    errCode: 2008,
    detail: 'no such path',
  },
  ...FURTHER_TYPES.map((deviceType, i) => ({
    ...{...about, sequence: 4 + i, deviceType, status: 200},
    operation: 'process-payload' as const,
    target: '/api/v1/decrypt/parser',
    reference: 'further',
  })),
];
const found = (filter: string) => ROWS.filter(rowFilter(filter)).map(({sequence}) => sequence);

describe('the filter of requests', () => {
  test.each<[string, number[]]>([
    ['operation:validate', [2]],
    ['operation:post', [3]],
    ['status:404', [3]],
    ['status:40', []],
    ['errcode:1204', [2]],
    ['errCode:12', []],
    ['partner:water', [2]],
    ['partner:demo', [1]],
    ['device:idtech', [1]],
    ['device:demo0003', [2]],
    ['device:629949', [1]],
    ['reference:card:amex', [1]],
    ['reference:200', [2]],
    ['text:such', [3]],
    ['NOWHERE', [3]],
    ['404', [3]],
    // Not by the messageId, which has the time in it.
    ['2601', []],
    ['1204, validate-device', [2]],
    ['partner:demo status:400', []],
    ['toString:x', []],
    ['__proto__:x', []],
  ])('%s', (filter, expected) => {
    expect(found(filter)).toEqual(expected);
  });

  test('blanks alone ask for all', () => {
    expect(found('  ,')).toHaveLength(ROWS.length);
  });

  test.each(FURTHER_TYPES.map((type, i) => [type, 4 + i] as const))(
    'device:%s, a terminal beyond the interface',
    (type, sequence) => {
      expect(found(`device:${type} reference:further`)).toContain(sequence);
      expect(found(`device:${type}`).length).toBeLessThan(ROWS.length);
    },
  );
});
