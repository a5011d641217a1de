import {isJsonObject} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {fitTo} from '../../files/schema-faults.js';
import {allOrNone} from '../keys/all-or-none.js';
import type {KeyEntry} from '../keys/key-entry.js';
import {faultsAt, keyOf} from '../parse-keyfile.js';
import {type KeyBlockForm, openKeyBlock} from './open-key-block.js';
import {selectKbpk} from './select-kbpk.js';

/** One thing to import: a clear key, or a block that waits for its KBPK. */
export interface ImportItem {
  /** How messages name it: `key 2`, `line 3`. */
  readonly where: string;
  readonly content: KeyEntry | KeyBlockForm;
}

/** The keys of an import, and what a person should know about them. */
interface ImportedKeys {
  readonly keys: readonly KeyEntry[];
  readonly warnings: readonly string[];
}

/**
 * Reads clear keys and key blocks in JSON form: an array, or an object whose `keys` is one. Throws
 * 9015, with all at fault.
 */
export async function parseImport(json: unknown): Promise<readonly ImportItem[]> {
  const {keyBlockForm, keyForm, keyList} = await import('../key-forms.js');
  const list = isJsonObject(json) ? fitTo(keyList, json) : undefined;
  if (list?.ok === false) throw new PaylensError(9015, list.faults.join('; '));
  const forms = list ? list.value.keys : json;
  if (!Array.isArray(forms)) throw new PaylensError(9015, 'expected a JSON array of keys');
  return allOrNone<unknown, ImportItem>(forms, (form, index) => {
    const where = `key ${index + 1}`;
    if (!isBlock(form)) return {where, content: keyOf(fitTo(keyForm, form), where)};
    const parsed = fitTo(keyBlockForm, form);
    if (parsed.ok) return {where, content: parsed.value};
    throw new PaylensError(9015, faultsAt(where, parsed.faults));
  });
}

/** Key blocks, one per line; empty lines are skipped. */
export function blocksOfLines(lines: readonly string[]): readonly ImportItem[] {
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{where: `line ${index + 1}`, content: {keyBlock: line.trim()}}],
  );
}

/**
 * Opens the blocks among `items` under the KBPKs of `keys`: each under the one that it names, else
 * `kbpk`, else the only one. Throws 9001 for the choice of a KBPK, 9015 with all that do not open.
 */
export function openImport(
  items: readonly ImportItem[],
  keys: readonly KeyEntry[],
  kbpk: string | undefined,
): ImportedKeys {
  const opened = allOrNone(items, ({where, content}) => {
    if (!isBlock(content)) return {key: content, warnings: []};
    return openKeyBlock(content, selectKbpk(keys, content.kbpk ?? kbpk), where);
  });
  return {
    keys: opened.map(({key}) => key),
    warnings: opened.flatMap(({warnings}) => warnings),
  };
}

function isBlock(form: unknown): form is KeyBlockForm {
  return typeof form === 'object' && form !== null && 'keyBlock' in form;
}
