import {describe, expect, it} from 'vitest';
import {errorObjectOf} from '../../src/contract/error-object.js';
import {PaylensError} from '../../src/contract/paylens-error.js';

describe('the error object', () => {
  const error = new PaylensError(2101, `4111111111111111 and ${'0F'.repeat(16)}`);

  it('hides what looks like a card number or a key', () => {
    expect(errorObjectOf(error)).toStrictEqual({
      success: false,
      errCode: 2101,
      errMessage: 'Payload damaged: 411111******1111 and [hidden]',
    });
  });

  it.each([{messageId: '1'}, {reference: 'r'}, {reference: ''}, {messageId: '1', reference: 'r'}])(
    'carries %j and no more',
    (ids) => {
      const {success, errCode, errMessage, ...rest} = errorObjectOf(error, ids);
      expect(rest).toStrictEqual(ids);
    },
  );
});
