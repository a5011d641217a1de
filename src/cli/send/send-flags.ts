import {boolean, integer, option} from '@oclif/core/flags';
import type {InferredFlags} from '@oclif/core/interfaces';
import {SEND_METHODS} from '../../client/credentials.js';
import {durationFlag} from '../flags/duration-flag.js';
import {valueFlag} from '../flags/value-flags.js';
import {senderFlags} from './sender-flags.js';

/** What `send partner`, `send device` and `send payload` share. */
export const sendFlags = {
  'base-url': valueFlag('URL', 'base URL of the endpoint'),
  profile: valueFlag('NAME', 'use the endpoint and partner of this profile'),
  method: option({description: 'authentication method; default: hmac', options: SEND_METHODS})(),
  reference: valueFlag('TEXT', 'reference to echo'),
  'body-file': valueFlag('FILE', 'send this request body unchanged (file, or - for stdin)'),
  count: integer({
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
    description: 'number of retries when no response arrives',
    min: 0,
    default: 0,
    helpValue: 'N',
  }),
  timeout: durationFlag({description: 'response timeout', default: 30_000}),
  verbose: boolean({description: 'show each request and response, without keys and card data'}),
  ...senderFlags,
};

/** The values of `sendFlags`, and whether card data is shown. */
export type SendFlags = InferredFlags<typeof sendFlags> & {readonly reveal?: boolean};
