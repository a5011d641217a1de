import {useEffect, useState} from 'preact/hooks';
import type {RequestCopy} from '../../contract/control/inspected-request.js';
import {oneLine} from '../model/shown.js';
import type {Row} from './request-store.js';
import {type Attempt, copyOf, replay} from './server.js';

interface EditProps {
  readonly row: Row;
  readonly isOff: boolean;
  /** Whether the body has card data, and is not to be seen. */
  readonly isHidden: boolean;
  readonly tried: Attempt;
  readonly onSent: (status: number) => void;
}

/** Path and body of a request to change; the server signs them as its partner would. */
export function EditForm({row, isOff, isHidden, tried, onSent}: EditProps) {
  const [target, setTarget] = useState(row.target);
  const [copy, setCopy] = useState<RequestCopy>();
  const [edited, setEdited] = useState<string>();
  const body = edited ?? copy?.body;
  useEffect(() => {
    void tried(copyOf(row.id).then(setCopy));
  }, [row.id]);
  const send = (event: Event) => {
    event.preventDefault();
    void tried(replay(row.id, {target, body: body ?? ''}).then(({status}) => onSent(status)));
  };
  return (
    <form class="edit" aria-label="Edit and sign" onSubmit={send}>
      <label>
        <span class="label">Path</span>
        <input
          class="field mono"
          value={target}
          spellcheck={false}
          onInput={({currentTarget}) => setTarget(currentTarget.value)}
        />
      </label>
      <label>
        <span class="label">Body</span>
        <textarea
          class={`field mono${isHidden ? ' discs' : ''}`}
          rows={8}
          spellcheck={false}
          disabled={body === undefined}
          value={body ?? ''}
          onInput={({currentTarget}) => setEdited(currentTarget.value)}
        />
      </label>
      {copy && <p class="quiet">{aboutSigning(copy)}</p>}
      <button type="submit" class="filled" disabled={isOff || body === undefined}>
        {copy?.resigning?.kind === 'kept' ? 'Send' : 'Sign and send'}
      </button>
    </form>
  );
}

function aboutSigning({body, resigning}: RequestCopy): string {
  return body === undefined
    ? 'Its body is no text, so it cannot be edited here.'
    : oneLine(resigning?.text ?? '');
}
