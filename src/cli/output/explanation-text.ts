import type {Explanation, FieldExplanation} from '../../engine/explanation.js';
import {table} from './table.js';
import {printable} from './terminal-text.js';

/** How a payload was decrypted, for people: a table of each encrypted field. */
export function explanationText({recognisedAs, fields}: Explanation): string {
  return [`Recognised as: ${recognisedAs}`, ...fields.map(fieldTable)].join('\n');
}

/** A key by its name, or, without one, by its KCV alone. */
function keyText({name, kcv}: FieldExplanation['key']): string {
  return name === undefined ? `KCV ${kcv}` : `${name}, KCV ${kcv}`;
}

function fieldTable(field: FieldExplanation): string {
  const {name, offset, length, ksn, key, scheme, usage, mode, iv, padding, facts} = field;
  const rows = [
    ['field', name],
    ['ciphertext', `${length} bytes at ${offset}`],
    ['KSN', ksn.text],
    ['key set', ksn.keySet],
    ['device', ksn.device],
    ['counter', String(ksn.counter)],
    ['key', keyText(key)],
    ['scheme', `${scheme.toUpperCase()} DUKPT`],
    ['usage', usage],
    ['mode', mode.toUpperCase()],
    ...(iv === undefined ? [] : [['IV', iv]]),
    ['padding', padding],
    ['evidence', facts.join('\n')],
  ];
  return table(
    [],
    rows.map(([title = '', value = '']) => [title, value.split('\n').map(printable).join('\n')]),
  );
}
