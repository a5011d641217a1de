import {useEffect, useState} from 'preact/hooks';
import type {
  RequestCopy,
  RequestDetail,
  SignatureStep,
} from '../../contract/control/inspected-request.js';
import {oneLine, sentence} from '../model/shown.js';
import {Menu} from '../parts/form-fields.js';
import {COPY_FORMS, type CopyForm} from './copy-forms.js';
import {knownDetailOf} from './detail-cache.js';
import {EditForm} from './edit-form.js';
import {PayloadSection} from './payload-section.js';
import {clipped} from './request-grid.js';
import type {Row} from './request-store.js';
import {type Attempt, copyOf, replay} from './server.js';

interface DetailProps {
  readonly row: Row;
  readonly isReal: boolean;
  readonly isOff: boolean;
  readonly reveal: boolean;
  readonly tried: Attempt;
  readonly onBack: () => void;
}

const NO_REPLAY =
  'Captured signatures are not replayed in real mode. Copy it as a paylens command, which signs anew.';

/** Everything about one request: the reason of a refusal comes before the evidence. */
export function Detail({row, isReal, isOff, reveal, tried, onBack}: DetailProps) {
  const {detail, isGone} = useDetail(row.id);
  const [isEditing, setEditing] = useState(false);
  const [notice, setNotice] = useState('');
  const isForgotten = isGone || row.isKept === true;
  const cannot = isOff || isForgotten || row.isBefore || row.operation === undefined;
  const unsignable = detail?.resigning?.kind === 'impossible' ? detail.resigning.text : undefined;
  const onKey = (event: KeyboardEvent) => {
    const isTyping = (event.target as HTMLElement).closest('input, textarea, select, [role]');
    if (event.key !== 'Escape' && (event.key !== 'ArrowLeft' || isTyping)) return;
    onBack();
    setTimeout(() => document.querySelector<HTMLElement>('.list [data-entry]')?.focus());
  };
  return (
    <article class="scroll" tabIndex={0} onKeyDown={onKey}>
      <RequestActions
        {...{row, isReal, cannot, tried, onBack, setNotice, isEditing, setEditing}}
        isUnsignable={unsignable !== undefined}
      />
      <Lead {...{row, detail}} />
      <p class="quiet" aria-live="polite">
        {notice}
      </p>
      {unsignable !== undefined && <p class="quiet">Edit and sign: {oneLine(unsignable)}</p>}
      {isForgotten && <p class="quiet">The server no longer keeps what came with this request.</p>}
      {isEditing && (
        <EditForm
          {...{row, isOff, tried}}
          isHidden={!reveal && detail?.payload?.holdsCard === true}
          onSent={(status) => setNotice(`Sent: ${status}.`)}
        />
      )}
      {detail && <Evidence {...{detail, reveal, isReal}} />}
    </article>
  );
}

/** The detail of a request once it is loaded; `isGone` if neither cache nor server has it. */
function useDetail(id: string) {
  const [detail, setDetail] = useState<RequestDetail>();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    knownDetailOf(id).then(
      (found) => isCurrent && setDetail(found),
      () => isCurrent && setGone(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  return {detail, isGone};
}

interface ActionProps extends Pick<DetailProps, 'row' | 'isReal' | 'tried' | 'onBack'> {
  readonly cannot: boolean;
  readonly isUnsignable: boolean;
  readonly isEditing: boolean;
  readonly setEditing: (isEditing: boolean) => void;
  readonly setNotice: (notice: string) => void;
}

const COPY_CHOICES = Object.keys(COPY_FORMS).map((form) => [form, form] as const);

function RequestActions(props: ActionProps) {
  const {row, isReal, cannot, isUnsignable, isEditing, setEditing, setNotice, tried} = props;
  const sendAgain = async () => {
    const {status} = await replay(row.id);
    setNotice(`Sent again: ${status}.`);
  };
  const copyAs = async (form: CopyForm) => {
    const copy = await copyOf(row.id);
    await navigator.clipboard.writeText(COPY_FORMS[form](copy));
    setNotice(copy.isMasked ? 'Copied, with secrets hidden.' : `Copied. ${signingText(copy)}`);
  };
  return (
    <div class="actions top-actions">
      <button type="button" class="link back" onClick={props.onBack}>
        Back to requests
      </button>
      <button
        type="button"
        disabled={cannot || isReal}
        title={isReal ? NO_REPLAY : 'Send it again as it was'}
        onClick={() => void tried(sendAgain())}
      >
        Replay
      </button>
      <button
        type="button"
        disabled={cannot || isReal || isUnsignable}
        aria-expanded={isEditing}
        title={isReal ? NO_REPLAY : 'Change its path or body, and sign it anew'}
        onClick={() => setEditing(!isEditing)}
      >
        Edit and sign
      </button>
      <Menu
        name="Copy as"
        isDisabled={cannot}
        choices={COPY_CHOICES}
        onChoose={(form) => void tried(copyAs(form as CopyForm))}
      />
    </div>
  );
}

function signingText({resigning}: RequestCopy): string {
  if (resigning?.kind === 'impossible')
    return `Its signature is the one it came with. ${oneLine(resigning.text)}`;
  return oneLine(resigning?.text ?? '');
}

function Lead({row, detail}: {readonly row: Row; readonly detail: RequestDetail | undefined}) {
  const {
    operation,
    status,
    errCode,
    method = 'POST',
    target,
    partnerId,
    bodyBytes,
    ms,
    fault,
  } = row;
  const title = detail?.error?.title ?? '';
  const facts = [
    partnerId !== undefined && `partner ${clipped(partnerId)}`,
    bodyBytes !== undefined && `${bodyBytes.toLocaleString('en')} bytes`,
    ms !== undefined && `${ms.toFixed(1)} ms`,
    fault !== undefined && `fault ${fault}`,
  ].filter(Boolean);
  const because = sentences(row, detail);
  return (
    <>
      <h2 class={`lead${status >= 400 ? ' bad' : ''}`}>
        {status >= 400 && '✗ '}
        {status} {errCode === undefined ? (operation ?? '') : `· ${errCode} ${title}`}
      </h2>
      <p class="quiet">
        {method} <code>{clipped(target)}</code>
        {facts.map((fact) => ` · ${fact}`)}
      </p>
      {because.map((sentence, i) => (
        <p key={sentence} class={i === 0 ? 'because' : ''}>
          {sentence}
        </p>
      ))}
      {detail?.error && (
        <p class="quiet">
          {detail.error.hint} See {detail.error.clause}.
        </p>
      )}
    </>
  );
}

/** Why it was refused: the likeliest cause first. */
function sentences(row: Row, detail: RequestDetail | undefined): readonly string[] {
  const found = detail?.faults ?? [];
  const own = found.length > 0 ? found : row.detail === undefined ? [] : [row.detail];
  return own.map(sentence);
}

interface EvidenceProps {
  readonly detail: RequestDetail;
  readonly reveal: boolean;
  readonly isReal: boolean;
}

function Evidence({detail, reveal, isReal}: EvidenceProps) {
  const {steps, stringToHash, headers, body, payload, response} = detail;
  return (
    <>
      {steps.length > 0 && <Steps {...{steps}} />}
      {stringToHash !== undefined && (
        <section>
          <h3 class="label">String to sign</h3>
          <SignedString
            text={stringToHash}
            isWrong={steps.some(({name, state}) => name === 'Body hash' && state === 'failed')}
          />
        </section>
      )}
      {headers && (
        <section>
          <h3>Headers</h3>
          <dl class="headers mono">
            {headers.map(([name, value], i) => (
              <div key={i}>
                <dt>{clipped(name.toLowerCase())}</dt>
                <dd>{oneLine(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {body !== undefined && body !== '' && (
        <section>
          <h3>Body</h3>
          <pre class="quoted mono">{lines(reveal ? withPayload(body, payload) : body)}</pre>
        </section>
      )}
      {payload && <PayloadSection {...{payload, reveal, isReal}} />}
      {response && (
        <section>
          <h3>Response</h3>
          <pre class="quoted mono">{oneLine(JSON.stringify(response))}</pre>
        </section>
      )}
    </>
  );
}

const MARKS = {passed: '✓', failed: '✗', 'not reached': '·'} as const;

function Steps({steps}: {readonly steps: readonly SignatureStep[]}) {
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

/** With its line ends shown: they are signed, too. */
function SignedString({text, isWrong}: {readonly text: string; readonly isWrong: boolean}) {
  const all = text.split('\n');
  return (
    <pre class="quoted mono">
      {all.map((line, i) => (
        <div key={i}>
          <span class={isWrong && i === all.length - 1 ? 'bad wave' : ''}>{oneLine(line)}</span>
          {i < all.length - 1 && (
            <span class="quiet" aria-hidden="true">
              ⏎
            </span>
          )}
        </div>
      ))}
    </pre>
  );
}

/** The body with the payload in place of its length, which hides card data. */
function withPayload(body: string, payload: RequestDetail['payload']): string {
  const {text, holdsCard} = payload ?? {};
  if (text === undefined || !holdsCard) return body;
  return body.replace(`"[${text.length} characters]"`, () => JSON.stringify(text));
}

/** Line ends and tabs stay what they are in a body. */
function lines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, i) => (i % 2 === 1 ? part : oneLine(part)))
    .join('');
}
