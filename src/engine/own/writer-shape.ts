import {blockSizeOf} from '../cipher/block-cipher.js';
import {dataAlgorithm} from '../dukpt/key-usage.js';
import {parseKsn} from '../dukpt/ksn.js';
import type {MacKind} from '../dukpt/mac.js';
import {assertTdesKsn, resolveOptions} from '../families/writer-options.js';
import type {WriteRequest, Writer, WriterOption, Written} from '../writing.js';
import {type Guard, WRITE_CODES} from './guard.js';
import {CIPHER_SETTING, MAC_KIND, MODE_LIST, VARIANT} from './reading-shape.js';
import {arrayOf, bytes, func, Misfit, members, optional, type Shape, text} from './shape.js';

const WRITTEN_HEX = text([1, 100]);

/** A copy without the flags that make a second test differ from the first. */
export const pattern: Shape<RegExp> = (value, at) => {
  if (!(value instanceof RegExp)) throw new Misfit(at, 'a regular expression', value);
  return new RegExp(value.source, value.flags.replaceAll(/[gy]/g, ''));
};

const OPTION = members<WriterOption>({
  name: text([1, 50], /^[A-Za-z][\w-]*$/),
  values: arrayOf(text([0, 200]), [1, 64]),
  form: optional(pattern),
  meaning: text([1, 300]),
});

const WRITTEN = members<Written>({
  devicePayload: text([1, 65_536]),
  ksn: optional(WRITTEN_HEX),
  iv: optional(WRITTEN_HEX),
  deviceSerial: optional(text([1, 100])),
});

/** What generates the payloads of an own terminal: its options are resolved before it is asked. */
export function writerShape(guard: Guard): Shape<Writer> {
  const shape = members<Writer>({
    modes: MODE_LIST,
    options: arrayOf(OPTION, [0, 64]),
    tdesOnly: optional(MODE_LIST),
    write: func,
  });
  return (value, at) => {
    const writer = shape(value, at);
    const write = (request: WriteRequest) => {
      assertTdesKsn(writer, request);
      const options = resolveOptions(writer.options, request.options);
      const given = {...request, ...checkedTools(guard, request), options};
      const run = () => Reflect.apply(writer.write, value, [given]);
      return guard.call('write', run, WRITTEN, WRITE_CODES);
    };
    return {...writer, write};
  };
}

/** `encrypt`, `hmac` and `mac` for callers who may give them anything. */
function checkedTools(
  guard: Guard,
  {ksn: own, encrypt, hmac, mac}: WriteRequest,
): Pick<WriteRequest, 'encrypt' | 'hmac' | 'mac'> {
  const bytesOf = bytes(0, 65_536);
  return {
    encrypt: (plain, setting, options = {}) => {
      const ciphered = guard.take('encrypt, setting', setting, CIPHER_SETTING);
      const {ksn = own, iv} = guard.take('encrypt, options', options, ENCRYPT_OPTIONS);
      const size = blockSizeOf(dataAlgorithm(parseKsn(ksn), ciphered.algorithm));
      const blocks = guard.take('encrypt, plaintext', plain, (value, at) => {
        const found = bytesOf(value, at);
        if (found.length > 0 && found.length % size === 0) return found;
        throw new Misfit(at, `whole blocks of ${size} bytes`, found.length);
      });
      return encrypt(blocks, ciphered, {ksn, ...(iv ? {iv} : {})});
    },
    hmac: (message, key) =>
      hmac(guard.take('hmac, message', message, bytesOf), guard.take('hmac, key', key, HMAC_KEY)),
    mac: (message, kind, ksn) =>
      mac(
        guard.take('mac, message', message, bytesOf),
        guard.take('mac, kind', kind, KIND),
        guard.take('mac, KSN', ksn, WRITTEN_HEX),
      ),
  };
}

const ENCRYPT_OPTIONS = members<{ksn?: string; iv?: Uint8Array}>({
  ksn: optional(WRITTEN_HEX),
  iv: optional(bytes(8, 16)),
});

const KIND = members<MacKind>(MAC_KIND);

const HMAC_KEY = members<Parameters<WriteRequest['hmac']>[1]>({variant: VARIANT, ksn: WRITTEN_HEX});
