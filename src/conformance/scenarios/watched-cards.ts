import {CLAUSE} from '../clauses.js';
import {isObject, isText, must, objectOf, type WatchRow, watchScenario} from '../rules.js';
import type {Answer, Heard, Rule} from '../scenario.js';

/** A success of process-payload. */
const isRead = ({answer: {accepted, body}, step}: Heard) =>
  accepted && body !== undefined && step.operation === 'process-payload';

const CARD_ROWS: readonly WatchRow[] = [
  ['card-meta', 'meta has device, serial and mode', CLAUSE.response, isRead, hasMeta],
  ['card-tracks', 'Track objects have their five members', CLAUSE.track, isRead, hasTrackObjects],
  ['card-masked', 'Masked tracks hide PAN and CVV', CLAUSE.track, isRead, hidesCard],
  ['card-tlv', 'tlv has the decrypted list alone', CLAUSE.response, isRead, hasTlv],
  [
    'card-extracted',
    'PAN, expiry date and name are those of the card',
    CLAUSE.extracted,
    isRead,
    hasExtracted,
  ],
];

const CONTRACT_ROWS: readonly WatchRow[] = [
  ['card-hex', 'Decrypted hex is in lower case', CLAUSE.reads, isRead, hasLowerCase],
  [
    'card-device',
    'meta.device is in capitals',
    CLAUSE.reads,
    isRead,
    ({body}) => {
      const {device} = objectOf(body?.meta);
      return must(!isText(device, /[a-z]/), 'meta.device in capitals', device);
    },
  ],
  ['card-mask', 'Masks show six and four digits of the PAN', CLAUSE.reads, isRead, showsSixAndFour],
  ['members-known', 'Responses have known members only', CLAUSE.members, isObject, hasKnownMembers],
];

/** What the interface says about the card data of every read. */
export const INTERFACE_CARDS = CARD_ROWS.map((row) => watchScenario(row, 'interface'));

/** What our contract says about members, those of card data first. */
export const PAYLENS_CARDS = CONTRACT_ROWS.map((row) => watchScenario(row, 'paylens'));

/** Track objects and their encodings, the best source of card data first. */
const ENCODINGS: Readonly<Record<string, RegExp>> = {
  track2: /^(?:hex|base64)$/,
  track2equivalent: /^(?:hex|ascii)$/,
  track1: /^(?:hex|base64)$/,
  track3: /^(?:hex|base64)$/,
  keyed: /^(?:hex|ascii)$/,
};
const NAMES = Object.keys(ENCODINGS);
const FORMS: Readonly<Record<string, RegExp>> = {
  hex: /^(?:[\dA-Fa-f]{2})*$/,
  base64: /^[\d+/A-Za-z]*={0,2}$/,
};
/** Values of a card are not shown. */
const OTHER = 'a different value';

/** Rules for each track object that a response has, by its name. */
function forTracks(
  rule: (track: ReturnType<typeof objectOf>, name: string) => ReturnType<Rule>,
  {body}: Answer,
) {
  const present = NAMES.filter((name) => body?.[name] !== undefined);
  return present.flatMap((name) => rule(objectOf(body?.[name]), name));
}

function hasMeta({body}: Answer) {
  const {device, serial, mode} = objectOf(body?.meta);
  const isMode = isText(mode, /^(?:keyed|swiped|emv)$/);
  return [
    ...must(isText(device), 'meta.device', device),
    ...must(isText(serial), 'meta.serial', serial),
    ...must(isMode, 'meta.mode keyed, swiped or emv', mode),
  ];
}

function hasTrackObjects(answer: Answer) {
  const isSwiped = objectOf(answer.body?.meta).mode === 'swiped';
  return forTracks(({decrypted, ascii, encoding, length, masked}, name) => {
    const texts = [decrypted, ascii, masked].every((value) => isText(value));
    const isWhole = name !== 'track2' || !isSwiped || isText(ascii, /^;\d{1,19}=.*\?$/);
    const isEncoded = !texts || isText(decrypted, FORMS[String(encoding)]);
    return [
      ...must(texts, `${name} with the strings decrypted, ascii and masked`, OTHER),
      ...must(isText(encoding, ENCODINGS[name]), `${name}.encoding as allowed`, encoding),
      ...must(isEncoded, `${name}.decrypted as its encoding says`, OTHER),
      ...must(length === String(ascii).length, `${name}.length of ascii`, length),
      ...must(isWhole, `${name}.ascii from start sentinel to end sentinel`, OTHER),
    ];
  }, answer);
}

function hidesCard(answer: Answer) {
  const {PAN, CVV = ' '} = objectOf(answer.body?.extracted);
  return forTracks((track, name) => {
    const masked = String(track.masked);
    const isHidden = !masked.includes(String(PAN)) && !masked.endsWith(String(CVV));
    const hasTail = name === 'track2equivalent' && /[=d]\d{5}/i.test(masked);
    return [
      ...must(isHidden, `${name}.masked without PAN and CVV`, OTHER),
      ...must(!hasTail, `${name}.masked without service code and discretionary data`, OTHER),
    ];
  }, answer);
}

function hasTlv({body}: Answer) {
  const tlv = body?.tlv === undefined ? {decrypted: ''} : objectOf(body.tlv);
  const names = Object.keys(tlv).join();
  const isAlone = names === 'decrypted' && isText(tlv.decrypted, FORMS.hex);
  return must(isAlone, 'tlv with the hex string decrypted alone', names);
}

/**
 * PAN and expiry date are in their forms and as in the first track that has them in a known place, the
 * name is as in track 1.
 */
export function hasExtracted(answer: Answer) {
  const extracted = objectOf(answer.body?.extracted);
  const {PAN, EXPY} = extracted;
  const others = Object.keys(extracted).filter((name) => !isText(extracted[name]));
  const [track] = forTracks(({ascii}) => {
    const form = /^(?:%?[A-Z](\d{12,19})\^[^^]*\^|;?(\d{12,19})[=d])(\d\d)(\d\d)/i;
    const [, first, second, year, month] = form.exec(String(ascii)) ?? [];
    return must(year === undefined, first ?? second ?? '', `${month}${year}`);
  }, answer);
  const {ascii: track1} = objectOf(answer.body?.track1);
  const [, name = '', first] = /\^([^^/]*)\/([^^]*)\^/.exec(String(track1)) ?? [];
  const isIn = (whole: string, part: unknown = '') =>
    whole.toLowerCase().includes(String(part).toLowerCase());
  const isNamed =
    first === undefined || (isIn(name, extracted.Surname) && isIn(first, extracted.FirstName));
  return [
    ...must(isNamed, 'extracted.Surname and FirstName as in track 1', OTHER),
    ...must(isText(PAN, /^\d{12,19}$/), 'extracted.PAN of 12 to 19 digits', OTHER),
    ...must(isText(EXPY, /^\d{4}$/), 'extracted.EXPY of 4 digits', OTHER),
    ...must(!track || PAN === track.expected, 'extracted.PAN as in the track', OTHER),
    ...must(!track || EXPY === track.received, 'extracted.EXPY as in the track, as MMYY', OTHER),
    ...must(others.length === 0, 'strings in extracted', others.join(', ')),
  ];
}

function hasLowerCase(answer: Answer) {
  const {decrypted} = objectOf(answer.body?.tlv);
  return [
    ...must(!isText(decrypted, /[A-F]/), 'tlv.decrypted in lower-case hex', 'upper case'),
    ...forTracks((track, name) => {
      const isUpper = track.encoding === 'hex' && isText(track.decrypted, /[A-F]/);
      return must(!isUpper, `${name}.decrypted in lower-case hex`, 'upper case');
    }, answer),
  ];
}

/** A PAN of 12 digits shows its last four alone. */
function showsSixAndFour(answer: Answer) {
  const PAN = String(objectOf(answer.body?.extracted).PAN);
  const first = PAN.slice(0, PAN.length > 12 ? 7 : 1);
  return forTracks((track, name) => {
    const masked = String(track.masked).toLowerCase();
    const digits = /^[%;]?[a-z]?([\d*]+)[\^=d?]/.exec(masked)?.[1] ?? '';
    // One without any mask breaks the interface.
    const isShown = digits.startsWith(first) || digits.endsWith(PAN.slice(-5));
    return must(
      !isShown || !digits.includes('*'),
      `${name}.masked with six and four digits of the PAN`,
      OTHER,
    );
  }, answer);
}

const TRACK_MEMBERS = ['decrypted', 'ascii', 'encoding', 'length', 'masked'];
const CARD: Readonly<Record<string, readonly string[]>> = {
  meta: ['device', 'serial', 'mode'],
  ...Object.fromEntries(NAMES.map((name) => [name, TRACK_MEMBERS])),
  extracted: [
    ...['PAN', 'EXPY', 'CVV', 'street', 'ZIP'],
    ...['FirstName', 'Surname', 'ServiceCode', 'Discretionary'],
  ],
};

/** `reference` is known only where one was sent. */
function hasKnownMembers({accepted, body = {}}: Answer, {step}: Heard) {
  const parts = accepted && step.operation === 'process-payload' ? CARD : {};
  const known = [
    ...['success', 'messageId', ...Object.keys(parts), ...(parts === CARD ? ['tlv'] : [])],
    ...(JSON.stringify(step.body ?? '').includes('reference') ? ['reference'] : []),
    ...(accepted ? [] : ['errCode', 'errMessage']),
  ];
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  for (const [part, names] of Object.entries(parts))
    for (const name of Object.keys(objectOf(body[part])))
      if (!names.includes(name)) unknown.push(`${part}.${name}`);
  return must(unknown.length === 0, 'members of the interface only', unknown.join(', '));
}
