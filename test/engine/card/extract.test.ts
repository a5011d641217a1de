import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import type {CardContent} from '../../../src/engine/card/card-content.js';
import {extract} from '../../../src/engine/card/extract.js';
import type {Track} from '../../../src/engine/card/track-data.js';

function text(value: string): Track {
  return {text: value, bytes: new Uint8Array(Buffer.from(value, 'latin1'))};
}

function extracted(content: CardContent) {
  try {
    return extract(content);
  } catch (error) {
    return error instanceof PaylensError ? error.code : error;
  }
}

const PAN = '4012888888881881';
const track1 = text(`%B${PAN}^DI TEST/CARD 01           ^28012010000?`);
const track2 = text(`;${PAN}=29022021111?`);
const track2equivalent = text(`${PAN}d30032032222`);
const keyed = {...text(`${PAN}=3105=123`), pan: PAN, cvv: '123'};

describe('where the card data comes from', () => {
  const all = {track1, track2, track2equivalent, pan: PAN, keyed, expiry: '3104'};

  it('is track 2 first', () => {
    expect(extracted(all)).toMatchObject({EXPY: '0229', ServiceCode: '202', Discretionary: '1111'});
  });

  it('is then the track 2 equivalent', () => {
    const {track2: _, ...rest} = all;
    expect(extracted(rest)).toMatchObject({
      EXPY: '0330',
      ServiceCode: '203',
      Discretionary: '2222',
    });
  });

  it('is then track 1', () => {
    expect(extracted({track1, pan: PAN, keyed})).toMatchObject({EXPY: '0128', ServiceCode: '201'});
  });

  it('is then tags 5A and 5F24', () => {
    expect(extracted({pan: PAN, expiry: '3104', keyed})).toMatchObject({PAN, EXPY: '0431'});
  });

  it('is last keyed entry', () => {
    expect(extracted({keyed, expiry: '3105'})).toEqual({PAN, EXPY: '0531', CVV: '123'});
  });

  it('is never track 3', () => {
    expect(extracted({track3: text(`;01${PAN}=28012010000?`)})).toBe(2800);
  });

  it('skips a track 2 without a card number', () => {
    expect(extracted({track1, track2: text(';12345=28012010000?')})).toMatchObject({
      EXPY: '0128',
    });
  });
});

describe('the PAN', () => {
  for (const length of [12, 13, 14, 15, 16, 17, 18, 19]) {
    it(`may have ${length} digits`, () => {
      const pan = '4000000000000000006'.slice(0, length);
      expect(extracted({track2: text(`;${pan}=28012010000?`)})).toMatchObject({PAN: pan});
    });
  }

  for (const length of [0, 11, 20]) {
    it(`of ${length} digits: 2800`, () => {
      const pan = '40000000000000000061'.slice(0, length);
      expect(extracted({track2: text(`;${pan}=28012010000?`)})).toBe(2800);
    });
  }

  it('need not satisfy Luhn', () => {
    expect(extracted({track2: text(';4266841088889999=08091010000?')})).toMatchObject({
      PAN: '4266841088889999',
    });
  });

  it('loses the blanks of track 1', () => {
    expect(extracted({track1: text('%B3739 531923 51004^A/B^2801201?')})).toMatchObject({
      PAN: '373953192351004',
    });
  });

  it('is 2800 where nothing holds one', () => {
    expect(extracted({})).toBe(2800);
  });
});

describe('the expiry date', () => {
  it('is MMYY, whatever the month says', () => {
    expect(extracted({track2: text(`;${PAN}=43192010000?`)})).toMatchObject({EXPY: '1943'});
  });

  it('is that of another source of the same card where the best has none', () => {
    expect(extracted({track1, track2: text(`;${PAN}==2010000?`)})).toMatchObject({EXPY: '0128'});
  });

  it('is not that of another card', () => {
    const other = text('%B4761739001010010^A/B^28012010000?');
    expect(extracted({track1: other, track2: text(`;${PAN}==2010000?`)})).toBe(2100);
  });

  it('is else that of a field beside the card', () => {
    expect(extracted({track2: text(`;${PAN}==2010000?`), expiry: '2801'})).toMatchObject({
      EXPY: '0128',
    });
  });

  it('is demanded: 2100', () => {
    expect(extracted({pan: PAN})).toBe(2100);
  });

  it('may be absent with its separator, and the service code stays', () => {
    expect(extracted({track2: text(`;${PAN}==2010000?`), expiry: '2801'})).toMatchObject({
      ServiceCode: '201',
    });
  });

  it('stays where the service code is absent', () => {
    const found = extracted({track2: text(`;${PAN}=2801=0000?`)});
    expect(found).toEqual({PAN, EXPY: '0128', Discretionary: '0000'});
  });
});

describe('the name', () => {
  for (const [name, Surname, FirstName] of [
    ['DI TEST/CARD 01           ', 'DI TEST', 'CARD 01'],
    ['BUSH JR/GEORGE W.MR', 'BUSH JR', 'GEORGE W'],
    ['Test/Bluefin', 'Test', 'Bluefin'],
    ['SAMPLE', 'SAMPLE', undefined],
    ['SAMPLE/', 'SAMPLE', undefined],
    ['/CARD', undefined, 'CARD'],
    [' /', undefined, undefined],
    ['          ', undefined, undefined],
  ] as const) {
    it(`${JSON.stringify(name)} on track 1`, () => {
      const found = extracted({track1: text(`%B${PAN}^${name}^28012010000?`)});
      const {Surname: last, FirstName: first} = found as {Surname?: string; FirstName?: string};
      expect({last, first}).toEqual({last: Surname, first: FirstName});
    });
  }

  it('is that of tag 5F20 without a track 1', () => {
    expect(extracted({track2, name: 'SAMPLE/CARD'})).toMatchObject({
      Surname: 'SAMPLE',
      FirstName: 'CARD',
    });
  });

  it('is that of track 1 although track 2 gives the card', () => {
    expect(extracted({track1, track2, name: 'OTHER'})).toMatchObject({Surname: 'DI TEST'});
  });
});
