import {nounFor} from '../../contract/found-hex.js';
import type {Answer} from '../../diagnosis/answer/answer.js';
import type {DiagnosisJson} from '../../diagnosis/answer/diagnosis-json.js';
import type {Rank} from '../../diagnosis/labels.js';
import {cardRows} from '../../engine/card-rows.js';
import {serviceCodeInWords} from '../../engine/tlv/emv-words.js';
import type {ErrorView} from '../model/advice.js';
import {adviceOf} from '../model/advice.js';
import type {Exploration} from '../model/explore.js';
import type {Opened} from '../model/open-payload.js';
import {oneLine, sentence} from '../model/shown.js';
import type {DiagnosisState} from '../store/explorer-store.js';
import {changeInWords, DIAGNOSIS_MS, type Diagnosed} from '../worker/diagnosis-worker.js';
import {Button} from './form-fields.js';

interface BandProps {
  readonly exploration: Exploration | undefined;
  /** Another payload is being read. */
  readonly isReading?: boolean;
  /** Of the page itself, for example too large a paste. */
  readonly error?: ErrorView | undefined;
  readonly notice?: string | undefined;
  /** Why the page refused, if no code of the catalogue applies. */
  readonly refusal?: string | undefined;
  /** Whether the read is to be decrypted: else a failure is no error yet. */
  readonly isAsked?: boolean;
  /** Why it failed. */
  readonly why?: Answer | undefined;
  readonly reveal: boolean;
  readonly diagnosis?: DiagnosisState;
  readonly onApply?: (() => void) | undefined;
}

/** The one place for verdict, error, card and progress. */
export function Band(props: BandProps) {
  const {exploration, reveal, diagnosis} = props;
  const isDiagnosing = diagnosis && diagnosis.kind !== 'idle' && diagnosis.kind !== 'failed';
  const failure = diagnosis?.kind === 'failed' ? diagnosis.error : props.error;
  const unread = isDiagnosing ? undefined : exploration?.failure;
  const error = failure ?? (props.isAsked === false ? undefined : unread);
  const opened = error || isDiagnosing ? undefined : exploration?.opened;
  return (
    <>
      <div role="alert" class="band">
        {props.refusal !== undefined && <p class="lead bad">✗ {props.refusal}</p>}
        {error && <Failure error={error} why={failure ? undefined : props.why} />}
      </div>
      <div role="status" class="band">
        {isDiagnosing ? (
          <Diagnosing {...props} diagnosis={diagnosis} />
        ) : (
          (props.notice ?? (error ? undefined : <Unasked {...{exploration, opened}} />))
        )}
        {props.isReading && <progress class="progress" aria-label="Reading" />}
      </div>
      {opened && exploration && <Card {...{opened, exploration, reveal}} />}
    </>
  );
}

interface FailureProps extends Pick<BandProps, 'why'> {
  readonly error: ErrorView;
  readonly isQuiet?: boolean;
}

function Failure({error, why, isQuiet = false}: FailureProps) {
  const {title, detail, hint} = adviceOf(error);
  return (
    <>
      <p class={isQuiet ? 'lead' : 'lead bad'}>
        {isQuiet ? '' : '✗ '}
        {error.code} {title}
      </p>
      {detail !== '' && <p>{sentence(detail)}</p>}
      {why?.label && <p>{oneLine(why.cause)}</p>}
      <p class="quiet">
        {why?.evidence.length ? 'Diagnose finds what decrypts it.' : oneLine(hint)}
      </p>
    </>
  );
}

/** Without the right key or KSN, a payload is simply encrypted. */
const ENCRYPTED: ReadonlySet<number> = new Set([2400, 2600, 2601, 2602]);

/** How a read is of which nothing was asked yet; for a screen reader, also that it was decrypted. */
function Unasked({
  exploration,
  opened,
}: Pick<BandProps, 'exploration'> & {opened: Opened | undefined}) {
  if (!exploration) return null;
  const ending = opened?.result.extracted.PAN.slice(-4);
  if (ending) return <p class="said">Decrypted: a card number that ends in {ending}</p>;
  const {inspection, failure} = exploration;
  const {encrypted, checks} = inspection;
  if (failure && !(ENCRYPTED.has(failure.code) && encrypted.length > 0))
    return <Failure error={failure} isQuiet />;
  if (encrypted.length === 0) return checks.length > 0 ? <Checks {...{exploration}} /> : null;
  const ksns = new Set(encrypted.flatMap(({ksn}) => ksn ?? []));
  const under = ksns.size === 0 ? '' : ` under KSN ${[...ksns].join(', ')}`;
  const count = `${encrypted.length} ${nounFor(encrypted.length, 'field')}`;
  return (
    <div class="card">
      <div>
        <p class="lead">Encrypted</p>
        <p>
          {count}
          {under}.{' '}
          {failure ? oneLine(adviceOf(failure).hint) : 'Type a key, or tick Published test keys.'}
        </p>
      </div>
      <div class="proof">
        <Checks exploration={exploration} />
      </div>
    </div>
  );
}

interface CardProps extends Pick<BandProps, 'reveal'> {
  readonly opened: Opened;
  readonly exploration: Exploration;
}

function Card({opened, exploration, reveal}: CardProps) {
  const rows = new Map(cardRows(opened.result, reveal));
  const {meta, extracted} = opened.result;
  const pan = rows.get('PAN') ?? '';
  const code = rows.get('service code');
  const words = serviceCodeInWords(code ?? '');
  const name = [rows.get('surname'), rows.get('first name')].filter(Boolean).join(' / ');
  const facts = [
    ['Expiry', rows.get('expiry')],
    ['Name', name],
    ['Service code', code && (words ? `${code}: ${words.join('; ')}` : code)],
    ['Discretionary data', reveal && rows.get('discretionary')],
    ['CVV', rows.get('CVV')],
    ['Street', rows.get('street')],
    ['ZIP', rows.get('ZIP')],
    ['Terminal', `${meta.device}, ${meta.mode}, ${meta.serial}`],
  ] as const;
  return (
    <section class="band" aria-label="Card">
      <div class="card">
        <p class="pan">
          <span class="said">
            {reveal ? 'card number ' : `card number, masked, ends in ${extracted.PAN.slice(-4)} `}
          </span>
          {pan.match(/.{1,4}/g)?.map((group, i) => (
            <span key={i}>{group}</span>
          ))}
        </p>
        <dl>
          {facts.map(
            ([label, text]) =>
              text && (
                <div key={label}>
                  <dt class="label">{label}</dt>
                  <dd>{oneLine(text)}</dd>
                </div>
              ),
          )}
        </dl>
        <div class="proof">
          <Checks exploration={exploration} />
          <p class="quiet">Decrypted with {opened.key}</p>
        </div>
      </div>
    </section>
  );
}

function Checks({exploration}: {readonly exploration: Exploration}) {
  const checks = [...exploration.inspection.checks, ...exploration.macs];
  return (
    <ul class="checks" aria-label="Checks">
      {checks.map(({name, offset, ok}) => (
        <li key={`${name} ${offset}`} class={ok ? 'ok' : 'bad'}>
          {ok ? '✓' : '✗'} {name.replace(/:.*/, '')}
        </li>
      ))}
    </ul>
  );
}

function Diagnosing({diagnosis, reveal, onApply}: BandProps & {diagnosis: DiagnosisState}) {
  switch (diagnosis.kind) {
    case 'progress':
      return <Progress {...{diagnosis}} />;
    case 'cancelled':
      return <p>{`Cancelled after ${count(diagnosis.tried)} trials. Nothing was changed.`}</p>;
    case 'died':
      return <p>Diagnosis stopped unexpectedly. Nothing was lost.</p>;
    case 'done':
      return <Verdicts {...{answer: diagnosis.answer, reveal, onApply}} />;
    default:
      return null;
  }
}

interface ProgressProps {
  readonly diagnosis: Extract<DiagnosisState, {readonly kind: 'progress'}>;
}

function Progress({diagnosis: {stage, tried, elapsedMs}}: ProgressProps) {
  return (
    <>
      <p class="lead">Diagnosing</p>
      <p aria-live="off">
        {count(tried)} trials, {(elapsedMs / 1000).toFixed(1)} s{stage === '' ? '' : `, ${stage}`}
      </p>
      <progress class="progress" aria-label="Diagnosis" max={DIAGNOSIS_MS} value={elapsedMs} />
    </>
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}

interface VerdictProps extends Pick<BandProps, 'reveal' | 'onApply'> {
  readonly answer: Diagnosed;
}

/** The cause in one line, the settings below it, and the rest folded. */
function Verdicts({answer, reveal, onApply}: VerdictProps) {
  const {solved, verdicts, solution, evidence, plaintexts, excluded, tried, elapsedMs} = reveal
    ? answer.clear
    : answer.masked;
  const {remedy} = answer;
  const [cause, ...others] = verdicts.filter(({rank}) => rank !== 'background');
  const of = (kind: Rank) =>
    others.filter(({rank}) => rank === kind).map(({text, detail = ''}) => `${text} ${detail}`);
  const state = solved ? 'Decrypted' : 'Not decrypted: no key and settings combination worked';
  return (
    <>
      <p class="lead">{cause?.text ?? state}</p>
      {[cause?.detail, cause?.correction].map((line) => line && <p key={line}>{sentence(line)}</p>)}
      <p class="quiet">{solution ? `${state}: ${solutionText(solution)}` : state}.</p>
      {remedy && (
        <p class="facts apply">
          <Button class="filled" onClick={onApply}>
            Apply
          </Button>
          <span class="quiet">{oneLine(remedy.changes.map(changeInWords).join('; '))}</span>
        </p>
      )}
      <details>
        <summary>
          {count(tried)} trials in {(elapsedMs / 1000).toFixed(1)} s
        </summary>
        <Facts heading="Further mistakes" lines={of('mistake')} />
        <Facts heading="How it is encrypted" lines={of('setting')} />
        <Facts heading="Evidence" lines={evidence} />
        <Facts
          heading="Plaintext"
          lines={plaintexts.map(({name, hex, text}) => `${name}: ${text === '' ? hex : text}`)}
        />
        <Facts heading="What was tried" lines={excluded ?? []} />
      </details>
    </>
  );
}

function solutionText(solution: NonNullable<DiagnosisJson['solution']>): string {
  const {deviceType, form, key, ksn, usage, variant, selfEncrypted, packing} = solution;
  const mode = solution.mode?.toUpperCase() ?? 'CBC or ECB';
  const facts = [
    ...[deviceType, form, `${key.source} (${key.role})`, ksn && `KSN ${ksn}`],
    usage ? `usage ${usage}` : `${variant} variant`,
    selfEncrypted && 'self-encrypted',
    `${solution.algorithm.toUpperCase()} ${mode}`,
    packing,
  ];
  return facts.flatMap((fact) => (fact ? [oneLine(fact)] : [])).join(', ');
}

function Facts({heading, lines}: {readonly heading: string; readonly lines: readonly string[]}) {
  if (lines.length === 0) return null;
  return (
    <>
      <p class="label">{heading}</p>
      <ul class="facts">
        {lines.map((line) => (
          <li key={line}>{oneLine(line)}</li>
        ))}
      </ul>
    </>
  );
}
