import {useState} from 'preact/hooks';
import {type AnswerOrder, FAULTS, type QueuedAnswer} from '../../contract/control/queued-answer.js';
import {TEST_CARDS} from '../../simulator/test-cards.js';
import {Button, SelectField} from '../parts/form-fields.js';
import {clipped, timeOf} from './request-grid.js';
import type {Snapshot} from './request-store.js';
import {queue, type Session, unqueue} from './server.js';

/** The answers queued for the next requests, and the state of the connection. */
export function QueueLine({session}: {readonly session: Session}) {
  const {snapshot, isReal, isOff, attempt} = session;
  const [isOpen, setOpen] = useState(false);
  const {answers, handshake} = snapshot;
  const isQueued = handshake !== undefined && !isReal;
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...document.querySelectorAll<HTMLElement>('.chips button')];
    const here = buttons.indexOf(document.activeElement as HTMLElement);
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (here < 0) return;
    if (step !== undefined) buttons[here + step]?.focus();
    if (event.key === 'Delete') buttons[here]?.click();
  };
  return (
    <footer class="queue">
      {isOpen && isQueued && <QueueForm {...{session}} onDone={() => setOpen(false)} />}
      <div class="line">
        {isQueued && (
          <>
            <span class="quiet">Next answers</span>
            <ul class="chips" onKeyDown={onKey}>
              {answers.map((answer) => (
                <li key={answer.id}>
                  <Button
                    class="mono"
                    disabled={isOff}
                    aria-label={`Remove ${answerText(answer)}`}
                    title="Remove this answer"
                    onClick={() => void attempt(unqueue(answer.id))}
                  >
                    {answerText(answer)} <span aria-hidden="true">×</span>
                  </Button>
                </li>
              ))}
            </ul>
            <span class="quiet">{answers.length === 0 ? 'as usual' : 'then as usual'}</span>
            <Button aria-expanded={isOpen} disabled={isOff} onClick={() => setOpen(!isOpen)}>
              Queue an answer
            </Button>
          </>
        )}
        <span class={`live ${snapshot.connection.kind === 'lost' ? 'bad' : 'quiet'}`} role="status">
          {liveText(snapshot)}
        </span>
      </div>
    </footer>
  );
}

const ANSWER_KINDS = ['card', 'error', 'fault', 'latency'] as const;

function QueueForm({session, onDone}: {readonly session: Session; readonly onDone: () => void}) {
  const [kind, setKind] = useState<(typeof ANSWER_KINDS)[number]>('card');
  const submit = (event: Event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const of = (name: string) => String(data.get(name) ?? '');
    void session.attempt(queue(orderOf(kind, of)).then(onDone));
  };
  return (
    <form class="form" onSubmit={submit} aria-label="Next answer">
      <SelectField
        label="Kind"
        value={kind}
        choices={ANSWER_KINDS.map((each) => [each, each])}
        onChoose={(each) => setKind(each as typeof kind)}
      />
      <label for="queue-value">
        <span class="label">Value</span>
        {kind === 'card' || kind === 'fault' ? (
          <select class="field" id="queue-value" name="value" key={kind}>
            {(kind === 'card' ? TEST_CARDS.map(({id}) => id) : FAULTS).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : (
          <input
            class="field"
            id="queue-value"
            name="value"
            key={kind}
            inputMode="numeric"
            required
            placeholder={kind === 'error' ? '2601' : 'milliseconds'}
          />
        )}
      </label>
      <label>
        <span class="label">How often</span>
        <input class="field" name="times" type="number" min="1" max="10000" defaultValue="1" />
      </label>
      <label>
        <span class="label">Only for reference</span>
        <input class="field" name="reference" placeholder="any" autocomplete="off" />
      </label>
      <button type="submit" class="filled" disabled={session.isOff}>
        Add to the queue
      </button>
    </form>
  );
}

function orderOf(kind: (typeof ANSWER_KINDS)[number], of: (name: string) => string): AnswerOrder {
  const value = of('value').trim();
  const answer = {[kind]: kind === 'error' || kind === 'latency' ? Number(value) : value};
  const reference = of('reference');
  return {
    answer: answer as AnswerOrder['answer'],
    times: Number(of('times')) || 1,
    ...(reference !== '' && {match: {reference}}),
  };
}

function answerText({answer, match, times}: QueuedAnswer): string {
  const what = Object.entries(answer).map(
    ([kind, value]) => `${kind}:${value}${kind === 'latency' ? ' ms' : ''}`,
  );
  const whom = [match?.reference, match?.serial, match?.deviceType]
    .filter(Boolean)
    .map((text) => `for ${clipped(text ?? '')}`);
  return [...what, ...whom, ...(times > 1 ? [`× ${times}`] : [])].join(' ');
}

function liveText({connection, note, rows}: Snapshot): string {
  if (connection.kind === 'lost')
    return `Connection lost. Next attempt in ${connection.seconds} s.`;
  if (connection.kind === 'connecting') return 'Connecting';
  if (connection.kind === 'no-token') return 'Not connected';
  const last = rows[0] ? `Live · last request ${timeOf(rows[0].time).slice(0, -2)}` : 'Live';
  return note === undefined ? last : `${note} ${last}`;
}
