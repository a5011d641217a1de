import {boolean, integer, option, string} from '@oclif/core/flags';
import {SEND_METHODS} from '../../client/credentials.js';
import {durationFlag} from '../flags/duration-flag.js';
import {networkFlags} from './network-flags.js';
import {senderFlags} from './sender-flags.js';

/** What `send partner`, `send device` and `send payload` share. */
export const sendFlags = {
  'base-url': string({
    aliases: ['url'],
    description: 'base URL of the endpoint',
    helpValue: 'URL',
  }),
  profile: string({description: 'use the endpoint and partner of this profile', helpValue: 'NAME'}),
  method: option({description: 'authentication method; default: hmac', options: SEND_METHODS})(),
  reference: string({description: 'reference to echo', helpValue: 'TEXT'}),
  'body-file': string({
    aliases: ['body'],
    description: 'send this request body unchanged (file, or - for stdin)',
    helpValue: 'FILE',
  }),
  count: integer({
    aliases: ['repeat'],
    description: 'number of requests to send',
    min: 1,
    default: 1,
    helpValue: 'N',
  }),
  concurrency: integer({
    description: 'number of requests in flight',
    min: 1,
    max: 1000,
    default: 1,
    helpValue: 'N',
  }),
  retries: integer({
    aliases: ['retry'],
    description: 'number of retries when no response arrives',
    min: 0,
    default: 0,
    helpValue: 'N',
  }),
  timeout: durationFlag({description: 'response timeout', default: 30_000, unit: 's'}),
  verbose: boolean({description: 'show each request and response, without keys and card data'}),
  ...networkFlags,
  ...senderFlags,
};
