import type {ProcessPayloadResult} from '../../contract/process-payload.js';
import {cardRows} from '../../engine/card-rows.js';
import type {Explanation, FieldExplanation} from '../../engine/explanation.js';
import type {ShownPin} from '../../engine/pin/pin-watcher.js';
import {keyText} from './explanation-text.js';
import type {Layout} from './layout/layout.js';
import {record} from './layout/table.js';
import {printable} from './terminal-text.js';

type KeyRow = readonly [string, string];

/** What is shown of a card beside its data. */
interface Beside {
  readonly pin?: ShownPin | undefined;
  readonly explanation?: Explanation | undefined;
}

/** The table of a decrypted card for people, with its PIN and the keys that decrypted it. */
export function cardTable(
  result: ProcessPayloadResult,
  reveal: boolean,
  {pin, explanation}: Beside = {},
): Layout {
  const rows = [
    ...cardRows(result, reveal),
    ...(pin ? ([['PIN', `${pin.digits} (format ${pin.format})`]] as const) : []),
    ...keyRows(explanation?.fields ?? []),
  ];
  return record(rows.map(([name, value]) => [name, printable(value)]));
}

/** The KSNs and keys of the fields: mostly they have one in common. */
function keyRows(fields: readonly FieldExplanation[]): KeyRow[] {
  const ksns = new Set(
    fields.flatMap(({ksn}) => (ksn ? `${ksn.text} (counter ${ksn.counter})` : [])),
  );
  const keys = new Set(fields.map(({key}) => keyText(key)));
  return [
    ...[...ksns].map((text) => ['KSN', text] as const),
    ...[...keys].map((text) => ['key', text] as const),
  ];
}
