import {integer, string} from '@oclif/core/flags';
import {
  DEFAULT_WORK_FACTOR,
  MAX_WORK_FACTOR,
  MIN_WORK_FACTOR,
} from '../../keyfile/age/work-factor.js';

/** Says who may open the keyfile that a command writes. */
export const sealFlags = {
  to: string({
    description: 'write it to this age recipient (X25519); may be given several times',
    helpValue: 'age1...',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'work-factor': integer({
    description: `log2 of the scrypt work for a passphrase (default ${DEFAULT_WORK_FACTOR})`,
    helpValue: `${MIN_WORK_FACTOR}-${MAX_WORK_FACTOR}`,
    min: MIN_WORK_FACTOR,
    max: MAX_WORK_FACTOR,
    exclusive: ['to'],
  }),
};
