import {useEffect, useState} from 'preact/hooks';
import type {RequestCopy} from '../../contract/control/inspected-request.js';
import {oneLine} from '../model/shown.js';
import {PLAIN_TEXT} from '../parts/form-fields.js';
import type {Row} from './request-store.js';
import {copyOf, replay, type Session} from './server.js';

interface EditProps {
  readonly session: Session;
  readonly row: Row;
  /** Whether the body has card data, and is shown as discs. */
  readonly isHidden: boolean;
  readonly setNotice: (notice: string) => void;
}

/** Path and body of a request to change; the server signs them as its partner would. */
export function EditForm({session: {store, isOff, attempt}, row, isHidden, setNotice}: EditProps) {
  const [target, setTarget] = useState(row.target);
  const [copy, setCopy] = useState<RequestCopy>();
  const [edited, setEdited] = useState<string>();
  const body = edited ?? copy?.body;
  useEffect(() => void attempt(copyOf(row.id).then(setCopy)), [row.id]);
  const send = async () => {
    const {status} = await replay(row.id, {target, body: body ?? ''});
    store.awaitNext();
    setNotice(`Sent: ${status}.`);
  };
  return (
    <form
      class="edit"
      aria-label="Edit and sign"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(send());
      }}
    >
      <label>
        <span class="label">Path</span>
        <input
          class="field mono"
          value={target}
          {...PLAIN_TEXT}
          onInput={({currentTarget}) => setTarget(currentTarget.value)}
        />
      </label>
      <label>
        <span class="label">Body</span>
        <textarea
          class={`field mono${isHidden ? ' discs' : ''}`}
          rows={8}
          {...PLAIN_TEXT}
          disabled={body === undefined}
          value={body ?? ''}
          onInput={({currentTarget}) => setEdited(currentTarget.value)}
        />
      </label>
      {copy && (
        <p class="quiet">
          {copy.body === undefined
            ? 'Its body is no text, so it cannot be edited here.'
            : oneLine(copy.resigning?.text ?? '')}
        </p>
      )}
      <button type="submit" class="filled" disabled={isOff || body === undefined}>
        {copy?.resigning?.kind === 'kept' ? 'Send' : 'Sign and send'}
      </button>
    </form>
  );
}
