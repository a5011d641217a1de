import {blockSizeOf} from '../cipher/block-cipher.js';
import type {WriteRequest, Writer, WriterOption, Written} from '../devices/writer.js';
import {demandKsnLength, resolveOptions} from '../devices/writer-options.js';
import {dataAlgorithm} from '../dukpt/key-usage.js';
import {parseKsn} from '../dukpt/ksn.js';
import type {MacKind} from '../dukpt/mac.js';
import {type Guard, WRITE_CODES} from './guard.js';
import {MAC_KIND, MODES, SETTING, VARIANT} from './reading-shape.js';
import {bytes, func, listOf, Misfit, members, optional, type Shape, text} from './shape.js';

const HEX = text([1, 100]);

/** A copy without the flags that make a second test differ from the first. */
export const pattern: Shape<RegExp> = (value, at) => {
  if (!(value instanceof RegExp)) throw new Misfit(at, 'a regular expression', value);
  return new RegExp(value.source, value.flags.replaceAll(/[gy]/g, ''));
};

const OPTION = members<WriterOption>({
  name: text([1, 50], /^[A-Za-z][\w-]*$/),
  values: listOf(text([0, 200]), [1, 64]),
  form: optional(pattern),
  meaning: text([1, 300]),
});

const WRITTEN = members<Written>({
  devicePayload: text([1, 65_536]),
  ksn: optional(HEX),
  iv: optional(HEX),
  deviceSerial: optional(text([1, 100])),
});

/** What generates the payloads of an own terminal: its options are resolved before it is asked. */
export function writerShape(guard: Guard): Shape<Writer> {
  const shape = members<Writer>({
    modes: MODES,
    options: listOf(OPTION, [0, 64]),
    tdesOnly: optional(MODES),
    write: func,
  });
  return (value, at) => {
    const writer = shape(value, at);
    const write = (request: WriteRequest) => {
      demandKsnLength(writer, request);
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
      const ciphered = guard.take('encrypt, setting', setting, SETTING);
      const {ksn = own, iv} = guard.take('encrypt, options', options, OPTIONS);
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
        guard.take('mac, KSN', ksn, HEX),
      ),
  };
}

const OPTIONS = members<{ksn?: string; iv?: Uint8Array}>({
  ksn: optional(HEX),
  iv: optional(bytes(8, 16)),
});

const KIND = members<MacKind>(MAC_KIND);

const HMAC_KEY = members<Parameters<WriteRequest['hmac']>[1]>({
  variant: VARIANT,
  ksn: HEX,
});
