import type {Explanation, FieldExplanation} from '../../engine/explanation.js';
import {type Layout, stack} from './layout/layout.js';
import {type Member, record, table} from './layout/table.js';

/** How a payload was decrypted, for people: tables of each encrypted field, and of all members. */
export function explanationText({recognisedAs, fields, members}: Explanation): Layout {
  const rows = members.map(({member, from, agreed}) => [
    member,
    from,
    agreed.join('\n') || 'nothing',
  ]);
  const sources = table(['member', 'from', 'what agreed with it'], rows);
  return stack(`Recognised as: ${recognisedAs}`, ...fields.map(fieldTable), sources);
}

/** A key by its name, or, without one, by its KCV alone. */
export function keyText({name, kcv}: FieldExplanation['key']): string {
  return name === undefined ? `KCV ${kcv}` : `${name}, KCV ${kcv}`;
}

function ksnRows(ksn: FieldExplanation['ksn']): Member[] {
  if (!ksn) return [];
  return [
    ['KSN', ksn.text],
    ['key set', ksn.keySet],
    ['device', ksn.device],
    ['counter', String(ksn.counter)],
  ];
}

function fieldTable(field: FieldExplanation): Layout {
  const {name, offset, length, ksn, key, scheme, usage, mode, iv, padding, facts} = field;
  const rows: Member[] = [
    ['field', name],
    ['ciphertext', `${length} bytes at ${offset}`],
    ...ksnRows(ksn),
    ['key', keyText(key)],
    ['scheme', scheme === 'working' ? 'working key, no DUKPT' : `${scheme.toUpperCase()} DUKPT`],
    ['usage', usage],
    ['mode', mode.toUpperCase()],
    ...(iv === undefined ? [] : [['IV', iv] as const]),
    ['padding', padding],
    ['evidence', facts.join('\n')],
  ];
  return record(rows);
}
