import type {Mismatch, Rule} from './scenario.js';

/** messageId has exactly 25 digits (docs/interface.md#limits). */
export const hasMessageId: Rule = ({body}) =>
  must(/^\d{25}$/.test(String(body?.messageId)), 'a 25-digit messageId', show(body?.messageId));

/** The messageId differs from those of the steps before. */
export const hasNewMessageId: Rule = ({body}, before) => {
  const known = before.map((answer) => answer.body?.messageId);
  return must(!known.includes(body?.messageId), 'a different messageId', show(body?.messageId));
};

/** The error object (docs/interface.md#error-object): integer errCode, text errMessage. */
export const isErrorObject: Rule = ({body}) =>
  must(
    Number.isInteger(body?.errCode) && typeof body?.errMessage === 'string',
    'an integer errCode and a string errMessage',
    `errCode ${show(body?.errCode)}, errMessage ${typeof body?.errMessage}`,
  );

/** The message says that authentication is required (docs/interface.md#hmac-rejections). */
export const saysAuthenticationRequired: Rule = ({body}) =>
  must(
    /authenticat/i.test(String(body?.errMessage)),
    'an "authentication required" message',
    show(body?.errMessage),
  );

/** The response is JSON and says so. */
export const isJson: Rule = ({headers, body}) =>
  must(
    /^application\/json\b/i.test(headers['content-type'] ?? '') && body !== undefined,
    'a JSON object with Content-Type application/json',
    headers['content-type'] ?? 'no Content-Type',
  );

/** No members but these. */
export function hasOnly(...names: readonly string[]): Rule {
  return ({body}) => {
    const found = Object.keys(body ?? {}).sort();
    return must(
      found.join() === [...names].sort().join(),
      `only ${names.join(', ')}`,
      found.join(', '),
    );
  };
}

/** The members that every success of process-payload has, in their forms. */
export const isProcessedPayload: Rule = ({body}) => {
  const meta = objectOf(body?.meta);
  const extracted = objectOf(body?.extracted);
  return (
    must(typeof meta.device === 'string', 'meta.device', show(meta.device)) ??
    must(typeof meta.serial === 'string', 'meta.serial', show(meta.serial)) ??
    must(
      ['keyed', 'swiped', 'emv'].includes(String(meta.mode)),
      'meta.mode keyed, swiped or emv',
      show(meta.mode),
    ) ??
    must(
      /^\d{12,19}$/.test(String(extracted.PAN)),
      'extracted.PAN of 12 to 19 digits',
      'a different format',
    ) ??
    must(/^\d{4}$/.test(String(extracted.EXPY)), 'extracted.EXPY of 4 digits', 'a different format')
  );
};

const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
  track1: ['hex', 'base64'],
  track2: ['hex', 'base64'],
  track3: ['hex', 'base64'],
  track2equivalent: ['hex', 'ascii'],
  keyed: ['hex', 'ascii'],
};

/** Every track object has its five members, an allowed encoding and the length of its ascii. */
export const hasTrackObjects: Rule = ({body}) => {
  for (const [name, encodings] of Object.entries(ENCODINGS)) {
    if (body?.[name] === undefined) continue;
    const {decrypted, ascii, encoding, length, masked} = objectOf(body[name]);
    const texts = [decrypted, ascii, masked].every((value) => typeof value === 'string');
    const right = texts && encodings.includes(String(encoding)) && length === String(ascii).length;
    if (!right) {
      return {
        expected: `${name}: five members, encoding ${encodings.join(' or ')}`,
        received: 'other',
      };
    }
  }
  return undefined;
};

/** Masked copies show neither the whole PAN nor the CVV. */
export const hidesCard: Rule = ({body}) => {
  const {PAN, CVV} = objectOf(body?.extracted);
  const masked = Object.keys(ENCODINGS).map((name) => String(objectOf(body?.[name]).masked ?? ''));
  const leaks = masked.some(
    (text) => text.includes(String(PAN)) || (CVV !== undefined && text.endsWith(String(CVV))),
  );
  return must(!leaks, 'masked values without PAN or CVV', 'one of them');
};

/** Members of `extracted` that the configuration knows. */
export function extracts(known: Readonly<Record<string, string>> = {}): Rule {
  return ({body}) => {
    const extracted = objectOf(body?.extracted);
    const wrong = Object.keys(known).find((name) => extracted[name] !== known[name]);
    return wrong === undefined
      ? undefined
      : {expected: `extracted.${wrong} as configured`, received: 'a different value'};
  };
}

function must(holds: boolean, expected: string, received: string): Mismatch | undefined {
  return holds ? undefined : {expected, received};
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
