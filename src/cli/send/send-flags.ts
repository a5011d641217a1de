import type {InferredFlags} from '@oclif/core/interfaces';
import {SEND_METHODS} from '../../client/credentials.js';
import {durationFlag} from '../flags/duration-flag.js';
import {flag} from '../flags/flag.js';
import {senderFlags} from './sender-flags.js';

/** What `send partner`, `send device` and `send payload` share. */
export const sendFlags = {
  'base-url': flag.text('URL', 'base URL of the endpoint'),
  profile: flag.text('NAME', 'use the endpoint and partner of this profile'),
  method: flag.choice(SEND_METHODS, 'authentication method; default: hmac'),
  reference: flag.text('TEXT', 'reference to echo'),
  'body-file': flag.text('FILE', 'send this request body unchanged (file, or - for stdin)'),
  count: flag.defaulted('N', 'number of requests to send', {min: 1, default: 1}),
  concurrency: flag.defaulted('N', 'number of requests in flight', {min: 1, max: 1000, default: 1}),
  retries: flag.defaulted('N', 'number of retries when no response arrives', {min: 0, default: 0}),
  timeout: durationFlag({description: 'response timeout', default: 30_000}),
  verbose: flag.on('show each request and response, without keys and card data'),
  ...senderFlags,
};

/** The values of `sendFlags`, and whether card data is shown. */
export type SendFlags = InferredFlags<typeof sendFlags> & {readonly reveal?: boolean};
