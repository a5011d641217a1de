import {integer, option, string} from '@oclif/core/flags';
import {SEND_METHODS} from '../../client/credentials.js';
import {networkFlags} from './network-flags.js';
import {senderFlags} from './sender-flags.js';

/** What `send partner`, `send device` and `send payload` share. */
export const sendFlags = {
  url: string({description: 'base URL of the endpoint', helpValue: 'URL'}),
  profile: string({description: 'take endpoint and partner from this profile', helpValue: 'NAME'}),
  method: option({description: 'how to authenticate; default: hmac', options: SEND_METHODS})(),
  reference: string({description: 'reference to echo', helpValue: 'TEXT'}),
  body: string({
    description: 'send this body as it is: a file, or - for stdin',
    helpValue: 'FILE',
  }),
  repeat: integer({description: 'send it so many times', min: 1, default: 1, helpValue: 'N'}),
  concurrency: integer({
    description: 'so many at a time',
    min: 1,
    max: 1000,
    default: 1,
    helpValue: 'N',
  }),
  retry: integer({
    description: 'try so many times again without an answer',
    min: 0,
    default: 0,
    helpValue: 'N',
  }),
  timeout: integer({
    description: 'wait so long for an answer',
    default: 30,
    min: 1,
    helpValue: 'S',
  }),
  ...networkFlags,
  ...senderFlags,
};
