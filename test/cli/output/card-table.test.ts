import {describe, expect, it} from 'vitest';
import {cardTable} from '../../../src/cli/output/card-table.js';
import {UNLIMITED} from '../../../src/cli/output/layout/text-width.js';
import type {ProcessPayloadResult} from '../../../src/contract/process-payload.js';

const PAN = '4012888888881881';
const RESULT: ProcessPayloadResult = {
  meta: {device: 'IDTECH', serial: '1', mode: 'swiped'},
  extracted: {PAN, EXPY: '0128', Surname: PAN, FirstName: `J ${PAN}`, street: PAN, ZIP: '90210'},
};

describe('the table of a card', () => {
  it('shows no card number that stands where a name belongs', async () => {
    const text = cardTable(RESULT, false)(UNLIMITED);
    expect(text).not.toContain(PAN);
    expect(text.match(/401288\*{6}1881/g)).toHaveLength(4);
    expect(text).toContain('90210');
  });

  it('shows everything when it is asked to', async () => {
    expect(cardTable(RESULT, true)(UNLIMITED).split(PAN)).toHaveLength(5);
  });
});
