import type {InspectedRequest} from '../../contract/control/inspected-request.js';

type Texts = (row: InspectedRequest) => readonly (string | number | undefined)[];

/** What each name in a filter looks at. */
const MEMBERS: Readonly<Record<string, Texts>> = {
  operation: ({operation, method}) => [operation, method],
  status: ({status}) => [status],
  errcode: ({errCode}) => [errCode],
  partner: ({partnerId, namedPartner}) => [partnerId, namedPartner],
  device: (row) => [row.deviceType, row.deviceSerial, row.serial, row.clientId, row.ksn],
  reference: ({reference}) => [reference],
};
const EXACT = new Set(['status', 'errcode']);
const ALL: Texts = (row) => [
  ...Object.values(MEMBERS).flatMap((texts) => texts(row)),
  ...[row.target, row.authentication, row.fault, row.why, row.detail, row.messageId],
];

/**
 * The rows that contain every word of a filter; a word may name the member to search (`errCode:2601`).
 * A number of three or four digits is a status or an errCode: a messageId has the time in it, and so
 * nearly every number.
 */
export function rowFilter(text: string): (row: InspectedRequest) => boolean {
  const wanted = text
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(oneOf);
  return (row) => wanted.every((isWanted) => isWanted(row));
}

function oneOf(word: string): (row: InspectedRequest) => boolean {
  const at = word.indexOf(':');
  const name = word.slice(0, Math.max(at, 0)).toLowerCase();
  const value = word.slice(at + 1).toLowerCase();
  const texts = name === 'text' ? ALL : MEMBERS[name];
  if (texts && Object.hasOwn({...MEMBERS, text: 0}, name))
    return (row) => texts(row).some((text) => matches(text, value, EXACT.has(name)));
  if (/^\d{3,4}$/.test(word))
    return ({status, errCode}) => [status, errCode].includes(Number(word));
  const whole = word.toLowerCase();
  return (row) => ALL(row).some((text) => matches(text, whole, typeof text === 'number'));
}

function matches(text: string | number | undefined, wanted: string, isExact: boolean): boolean {
  if (text === undefined) return false;
  const found = String(text).toLowerCase();
  return isExact ? found === wanted : found.includes(wanted);
}
