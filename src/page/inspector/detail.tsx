import {useEffect, useState} from 'preact/hooks';
import type {RequestDetail} from '../../contract/control/inspected-request.js';
import {stoppedText} from '../../contract/control/inspected-request.js';
import {COPY_FORMS, type CopyForm} from '../../export/copy-forms.js';
import {oneLine, sentence} from '../model/shown.js';
import {Button, Menu} from '../parts/form-fields.js';
import {knownDetailOf} from './detail-cache.js';
import {EditForm} from './edit-form.js';
import {WireView} from './message.js';
import {PayloadSection} from './payload-section.js';
import {clipped} from './request-grid.js';
import type {Row} from './request-store.js';
import {copyOf, isGone, replay, type Session} from './server.js';
import {SignedStrings} from './signed-strings.js';

interface DetailProps {
  readonly session: Session;
  readonly row: Row;
  readonly reveal: boolean;
  readonly onBack: () => void;
}

const NO_REPLAY =
  'Captured signatures are not replayed in real mode. Copy it as a paylens command, which signs it again.';

/** Everything about one request: the reason of a refusal comes before the evidence. */
export function Detail({session, row, reveal, onBack}: DetailProps) {
  const {detail, failure} = useDetail(row.id);
  const [isEditing, setEditing] = useState(false);
  const [notice, setNotice] = useState('');
  const isForgotten = isGone(failure) || row.isKept === true;
  const cannot = session.isOff || isForgotten || row.isBefore || row.operation === undefined;
  const unsignable = detail?.resigning?.kind === 'impossible' ? detail.resigning.text : undefined;
  const onKey = (event: KeyboardEvent) => {
    const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [role]');
    if (event.key !== 'Escape' && (event.key !== 'ArrowLeft' || isTyping)) return;
    onBack();
    setTimeout(() => document.querySelector<HTMLElement>('.list [data-entry]')?.focus());
  };
  return (
    <article class="scroll" tabIndex={0} data-entry="" onKeyDown={onKey}>
      <div class="actions top-actions">
        <Button class="link back" onClick={onBack}>
          Back to requests
        </Button>
        <RequestActions
          {...{session, row, cannot, setNotice, isEditing, setEditing}}
          isUnsignable={unsignable !== undefined}
        />
      </div>
      <Lead {...{row, detail}} />
      <p class="quiet" aria-live="polite">
        {notice}
      </p>
      {unsignable !== undefined && <p class="quiet">Edit and sign: {oneLine(unsignable)}</p>}
      {isForgotten && <p class="quiet">The server no longer keeps what came with this request.</p>}
      {failure && !isForgotten && <p class="bad">✗ {sentence(failure.message)}</p>}
      {isEditing && (
        <EditForm
          {...{session, row, setNotice}}
          isHidden={!reveal && detail?.payload?.holdsCard === true}
        />
      )}
      {detail?.stopped && (
        <p class="bad">
          The inspection was {stoppedText(detail.stopped)}:{' '}
          {detail.line === undefined ? 'only the row is known.' : 'there is no explanation.'}
        </p>
      )}
      {detail && <Evidence {...{detail, reveal}} />}
    </article>
  );
}

/** The detail of a request once it is loaded, or why neither cache nor server gave it. */
function useDetail(id: string) {
  const [found, setFound] = useState<{readonly detail?: RequestDetail; readonly failure?: Error}>(
    {},
  );
  useEffect(() => {
    let isCurrent = true;
    knownDetailOf(id).then(
      (detail) => isCurrent && setFound({detail}),
      (failure: Error) => isCurrent && setFound({failure}),
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return found;
}

interface ActionProps extends Pick<DetailProps, 'session' | 'row'> {
  readonly cannot: boolean;
  readonly isUnsignable: boolean;
  readonly isEditing: boolean;
  readonly setEditing: (isEditing: boolean) => void;
  readonly setNotice: (notice: string) => void;
}

const COPY_CHOICES = Object.keys(COPY_FORMS).map((form) => [form, form] as const);

function RequestActions(props: ActionProps) {
  const {session, row, cannot, isUnsignable, isEditing, setEditing, setNotice} = props;
  const {store, isReal, attempt} = session;
  const sendAgain = async () => {
    const {status} = await replay(row.id);
    store.awaitNext();
    setNotice(`Sent again: ${status}.`);
  };
  const copyAs = async (form: CopyForm) => {
    const copy = await copyOf(row.id);
    await navigator.clipboard.writeText(COPY_FORMS[form](copy));
    const {kind, text = ''} = copy.resigning ?? {};
    const own = kind === 'impossible' ? 'Its signature is the one it came with. ' : '';
    setNotice(copy.isMasked ? 'Copied, with secrets hidden.' : `Copied. ${own}${oneLine(text)}`);
  };
  return (
    <>
      <Button
        disabled={cannot || isReal}
        title={isReal ? NO_REPLAY : 'Send it again unchanged'}
        onClick={() => void attempt(sendAgain())}
      >
        Replay
      </Button>
      <Button
        disabled={cannot || isReal || isUnsignable}
        aria-expanded={isEditing}
        title={isReal ? NO_REPLAY : 'Change its path or body, and sign it again'}
        onClick={() => setEditing(!isEditing)}
      >
        Edit and sign
      </Button>
      <Menu
        name="Copy as"
        isDisabled={cannot}
        choices={COPY_CHOICES}
        onChoose={(form) => void attempt(copyAs(form as CopyForm))}
      />
    </>
  );
}

function Lead({row, detail}: {readonly row: Row; readonly detail: RequestDetail | undefined}) {
  const {operation = '', status, errCode, method = 'POST', target} = row;
  const {namedPartner, partnerId = namedPartner, bodyBytes, ms, fault} = row;
  const error = detail?.error;
  const facts = [
    partnerId !== undefined && `partner ${clipped(partnerId)}`,
    bodyBytes !== undefined && `${bodyBytes.toLocaleString('en')} bytes`,
    ms !== undefined && `${ms.toFixed(1)} ms`,
    fault !== undefined && `fault ${fault}`,
  ].filter(Boolean);
  const faults = detail?.faults ?? [];
  // The likeliest cause comes first.
  const because = (faults.length > 0 ? faults : [row.detail ?? []].flat()).map(sentence);
  return (
    <>
      <h2 class={`lead${status >= 400 ? ' bad' : ''}`}>
        {status >= 400 && '✗ '}
        {status} {errCode === undefined ? operation : `· ${errCode} ${error?.title ?? ''}`}
      </h2>
      <p class="quiet">
        {method} <code>{clipped(target)}</code>
        {facts.map((fact) => ` · ${fact}`)}
      </p>
      {because.map((text, i) => (
        <p key={text} class={i === 0 ? 'because' : ''}>
          {text}
        </p>
      ))}
      {error && (
        <p class="quiet">
          {error.hint} See {error.clause}.
        </p>
      )}
    </>
  );
}

function Evidence({detail, reveal}: {readonly detail: RequestDetail; readonly reveal: boolean}) {
  const {steps, line, headers, payload, response, stopped, request, body, bodyBase64} = detail;
  const length = headers?.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  const isUnread = body === undefined && bodyBase64 === undefined && Number(length) > 0;
  return (
    <>
      {steps.length > 0 && <Steps {...{steps}} />}
      <SignedStrings {...{detail}} />
      {line === undefined && !stopped && (
        <p class="quiet">
          Request and response are no longer kept: they gave way to newer ones. The service keeps 16
          MiB in all.
        </p>
      )}
      {line !== undefined && headers && (
        <WireView message={{...detail, line, headers}} {...{reveal}} />
      )}
      {isUnread && <p class="quiet">It was refused before its body was read.</p>}
      {payload && <PayloadSection {...{payload, reveal, response}} />}
      {response && <WireView title="Response" message={response} {...{reveal}} />}
      {line !== undefined && !response && (
        <section>
          <h3>Response</h3>
          <p class="quiet">
            No response was sent{request.fault ? `: fault ${request.fault}` : ''}.
          </p>
        </section>
      )}
    </>
  );
}

const MARKS = {passed: '✓', failed: '✗', 'not reached': '·'} as const;

function Steps({steps}: Pick<RequestDetail, 'steps'>) {
  return (
    <ol class="signature">
      {steps.map(({name, state, text}) => (
        <li key={name} class={state === 'not reached' ? 'quiet' : state}>
          <span class="mark-of" aria-hidden="true">
            {MARKS[state]}
          </span>
          <span class="said">{state}: </span>
          <span class="step">{name}</span>
          <span class="about quiet">{oneLine(text)}</span>
        </li>
      ))}
    </ol>
  );
}
