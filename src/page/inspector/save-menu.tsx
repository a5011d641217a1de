import type {StreamHello} from '../../contract/control/inspected-request.js';
import {Menu} from '../parts/form-fields.js';
import {saveFile} from '../parts/save-file.js';
import {harOf} from './copy-forms.js';
import type {Row} from './request-store.js';
import {type Attempt, detailOf} from './server.js';

interface SaveProps {
  readonly rows: readonly Row[];
  readonly handshake: StreamHello | undefined;
  readonly tried: Attempt;
}

const SAVED_FORMS = [
  ['har', 'HAR'],
  ['jsonl', 'JSON lines'],
] as const;

/** Saves the requests that the list shows. */
export function SaveMenu({rows, handshake, tried}: SaveProps) {
  const choose = async (form: string) => {
    if (form === 'jsonl') return saveFile('requests.jsonl', jsonLines(rows));
    const kept = rows.filter(({isBefore}) => !isBefore).toReversed();
    const details = [];
    // One at a time: a service has more to do than that.
    for (const {id} of kept) details.push(await detailOf(id, true));
    saveFile('requests.har', harOf(details, handshake?.version ?? ''));
  };
  return (
    <Menu
      name="Save as"
      isDisabled={rows.length === 0}
      choices={SAVED_FORMS}
      onChoose={(form) => void tried(choose(form))}
    />
  );
}

/** Oldest first, as they came. */
function jsonLines(rows: readonly Row[]): string {
  const lines = rows.toReversed().map(({id: _, isBefore: _before, ...row}) => JSON.stringify(row));
  return lines.map((line) => `${line}\n`).join('');
}
