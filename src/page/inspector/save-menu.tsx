import type {StreamHello} from '../../contract/control/inspected-request.js';
import {harOf} from './copy-forms.js';
import type {Row} from './request-store.js';
import {detailOf} from './server.js';

interface SaveProps {
  readonly rows: readonly Row[];
  readonly hello: StreamHello | undefined;
  readonly tried: (work: Promise<unknown>) => Promise<unknown>;
}

/** Saves the requests that the list shows. */
export function SaveMenu({rows, hello, tried}: SaveProps) {
  const choose = async (form: string) => {
    if (form === 'jsonl') return save('requests.jsonl', jsonLines(rows));
    const kept = rows.filter(({isBefore}) => !isBefore).toReversed();
    const details = [];
    // One at a time: a service has more to do than that.
    for (const {id} of kept) details.push(await detailOf(id, true));
    save('requests.har', harOf(details, hello?.version ?? ''));
  };
  return (
    <select
      class="field menu"
      aria-label="Save as"
      disabled={rows.length === 0}
      value=""
      onChange={({currentTarget}) => {
        const {value} = currentTarget;
        currentTarget.value = '';
        if (value !== '') void tried(choose(value));
      }}
    >
      <option value="">Save as</option>
      <option value="har">HAR</option>
      <option value="jsonl">JSON lines</option>
    </select>
  );
}

/** Oldest first, as they came. */
function jsonLines(rows: readonly Row[]): string {
  const lines = rows.toReversed().map(({id: _, isBefore: _before, ...row}) => JSON.stringify(row));
  return lines.map((line) => `${line}\n`).join('');
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
