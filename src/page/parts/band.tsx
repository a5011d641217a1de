import type {DiagnosisJson} from '../../diagnosis/answer/diagnosis-json.js';
import {cardRows} from '../../engine/card-rows.js';
import {serviceCodeInWords} from '../../engine/tlv/emv-words.js';
import type {ErrorView} from '../model/advice.js';
import {adviceOf} from '../model/advice.js';
import type {Exploration} from '../model/explore.js';
import type {Opened} from '../model/open-payload.js';
import {oneLine, sentence} from '../model/shown.js';
import type {DiagnosisState} from '../store/explorer-store.js';
import {DIAGNOSIS_MS, type Diagnosed} from '../worker/diagnosis-worker.js';

interface BandProps {
  readonly exploration: Exploration | undefined;
  /** Another payload is being read. */
  readonly isReading?: boolean;
  /** Of the page itself, for example too large a paste. */
  readonly error: ErrorView | undefined;
  readonly notice: string | undefined;
  /** Why the page refused, if no code of the catalogue applies. */
  readonly refusal?: string | undefined;
  /** Whether the read is to be decrypted: else a failure is no error yet. */
  readonly isAsked?: boolean;
  readonly reveal: boolean;
  readonly diagnosis: DiagnosisState;
  readonly onApply: () => void;
}

/** The one place for verdict, error, card and progress. */
export function Band(props: BandProps) {
  const {exploration, reveal, diagnosis} = props;
  const isDiagnosing = diagnosis.kind !== 'idle' && diagnosis.kind !== 'failed';
  const failure = diagnosis.kind === 'failed' ? diagnosis.error : props.error;
  const unread = isDiagnosing ? undefined : exploration?.failure;
  const error = failure ?? (props.isAsked === false ? undefined : unread);
  const opened = error || isDiagnosing ? undefined : exploration?.opened;
  return (
    <>
      <div role="alert" class="band">
        {props.refusal !== undefined && <p class="lead bad">✗ {props.refusal}</p>}
        {error && <Failure error={error} />}
      </div>
      <div role="status" class="band">
        {isDiagnosing ? (
          <Diagnosing {...props} />
        ) : (
          (props.notice ?? (opened || error ? undefined : <Unasked {...{exploration}} />))
        )}
        {props.isReading && <progress class="progress" aria-label="Reading" />}
      </div>
      {opened && exploration && <Card {...{opened, exploration, reveal}} />}
    </>
  );
}

function Failure({
  error,
  isQuiet = false,
}: {
  readonly error: ErrorView;
  readonly isQuiet?: boolean;
}) {
  const {title, detail, hint} = adviceOf(error);
  return (
    <>
      <p class={isQuiet ? 'lead' : 'lead bad'}>
        {isQuiet ? '' : '✗ '}
        {error.code} {title}
      </p>
      {detail !== '' && <p>{sentence(detail)}</p>}
      <p class="quiet">{oneLine(hint)}</p>
    </>
  );
}

/** Without the right key or KSN, a payload is simply encrypted. */
const ENCRYPTED: ReadonlySet<number> = new Set([2400, 2600, 2601, 2602]);

/** How a read is of which nothing was asked yet. */
function Unasked({exploration}: Pick<BandProps, 'exploration'>) {
  if (!exploration) return null;
  const {inspection, failure} = exploration;
  const {encrypted, checks} = inspection;
  if (failure && !(ENCRYPTED.has(failure.code) && encrypted.length > 0))
    return <Failure error={failure} isQuiet />;
  if (encrypted.length === 0) return checks.length > 0 ? <Checks {...{exploration}} /> : null;
  const ksns = new Set(encrypted.flatMap(({ksn}) => ksn ?? []));
  const under = ksns.size === 0 ? '' : ` under KSN ${[...ksns].join(', ')}`;
  const count = `${encrypted.length} ${encrypted.length === 1 ? 'field' : 'fields'}`;
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

function Diagnosing({diagnosis, reveal, onApply}: BandProps) {
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

function Verdicts({answer, reveal, onApply}: VerdictProps) {
  const {solved, verdicts, solution, evidence, plaintexts, excluded, tried, elapsedMs} = reveal
    ? answer.clear
    : answer.masked;
  const shown = verdicts.filter(({rank}) => rank !== 'background');
  return (
    <>
      <p class="lead">
        {solved ? 'Decrypted' : 'Not decrypted: no key and settings combination worked'}
      </p>
      {answer.remedy && (
        <p class="facts apply">
          <button type="button" class="filled" onClick={onApply}>
            Apply
          </button>
          <span class="quiet">Use this key, KSN form, variant and mode for this payload</span>
        </p>
      )}
      <ul class="verdicts">
        {shown.map(({label, text, detail}) => (
          <li key={label}>
            <span class="mono quiet">{label}</span>
            <span>
              {text} {detail !== undefined && <span class="quiet">{oneLine(detail)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {solution && <p class="facts">{solutionText(solution)}</p>}
      {plaintexts.length > 0 && (
        <ul class="facts mono">
          {plaintexts.map(({name, hex, text}) => (
            <li key={name}>{oneLine(`${name}: ${text === '' ? hex : text}`)}</li>
          ))}
        </ul>
      )}
      <Folded summary={`${evidence.length} facts prove it`} lines={evidence} />
      <Folded
        summary={`${excluded?.length ?? 0} things tried without success`}
        lines={excluded ?? []}
      />
      <p class="quiet">
        {count(tried)} trials in {(elapsedMs / 1000).toFixed(1)} s
      </p>
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

function Folded({summary, lines}: {readonly summary: string; readonly lines: readonly string[]}) {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{summary}</summary>
      <ul class="facts">
        {lines.map((line) => (
          <li key={line}>{oneLine(line)}</li>
        ))}
      </ul>
    </details>
  );
}
