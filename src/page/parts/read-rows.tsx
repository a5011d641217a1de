import {useEffect, useRef, useState} from 'preact/hooks';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {RING_KEY_KINDS} from '../../engine/dukpt/ring-key.js';
import type {Exploration, ExplorationOrder} from '../model/explore.js';
import {ROLES} from '../model/keys.js';
import {BARE_MODES, BARE_VARIANTS} from '../model/read.js';
import type {ExplorerState, ExplorerStore} from '../store/explorer-store.js';
import {changeInWords} from '../worker/diagnosis-worker.js';
import {Button, PLAIN_TEXT, SelectField} from './form-fields.js';

interface ReadRowsProps {
  readonly store: ExplorerStore;
  readonly state: ExplorerState;
  readonly exploration: Exploration | undefined;
}

/** KSN, IV, role, variant and mode of the read: in one line if they are known, and to be edited. */
export function ReadRows(props: ReadRowsProps) {
  const {state, exploration} = props;
  const {note = exploration?.input.note, changes, fieldText, view, diagnosis} = state;
  const [isOpen, setOpen] = useState<boolean>();
  useEffect(() => setOpen(undefined), [fieldText]);
  if (view === 'Simulate') return null;
  const isUnknown =
    exploration && !exploration.opened && (exploration.input.isOpenEnded || rowOf(exploration));
  // On a small screen a diagnosis needs their room.
  const isAuto = changes.length > 0 || (Boolean(isUnknown) && diagnosis.kind === 'idle');
  const isUnfolded = isOpen ?? isAuto;
  return (
    <>
      <p class="keyline rows">
        <span aria-live="polite">
          {changes.length > 0 && <b>Changed: {changes.map(changeInWords).join('; ')}. </b>}
          <span class="quiet">
            {note} {known(state, exploration)}
          </span>
        </span>
        <Button class="link" aria-expanded={isUnfolded} onClick={() => setOpen(!isUnfolded)}>
          Settings
        </Button>
      </p>
      {isUnfolded && (
        <div class="form">
          <TextRow {...props} name="ksn" label="KSN" />
          <TextRow {...props} name="iv" label="IV" />
          <Choices {...props} />
        </div>
      )}
    </>
  );
}

/** The row that a failure is about. */
function rowOf({failure}: Exploration): 'ksn' | 'iv' | undefined {
  return failure?.code === 2400 ? 'ksn' : failure?.code === 2602 ? 'iv' : undefined;
}

/** The rows in one line, as far as they are known. A request may give a card number as any of them. */
function known({read, reveal}: ExplorerState, exploration: Exploration | undefined): string {
  if (!exploration) return 'KSN, IV, variant and mode are taken from the payload.';
  const {input, inspection, opened} = exploration;
  const own = [...new Set(inspection.encrypted.flatMap(({ksn}) => ksn ?? []))].join(', ');
  const [used] = opened?.explanation.fields ?? [];
  const facts = [
    input.ksn ? `KSN ${input.ksn}` : own && `KSN ${own} in the payload`,
    input.iv && `IV ${input.iv}`,
    read.keys.role && `key is ${ROLES[read.keys.role]}`,
    input.deviceSerial && `serial number ${input.deviceSerial}`,
    used && `${used.usage}, ${used.mode.toUpperCase()}`,
  ];
  const text = facts.filter(Boolean).join(' · ') || 'Neither KSN nor IV';
  return reveal ? text : redactCardNumbers(text);
}

interface TextRowProps extends ReadRowsProps {
  readonly name: 'ksn' | 'iv';
  readonly label: string;
}

/** What the row holds, or what the text says as long as nobody types. */
function TextRow({store, state, exploration, name, label}: TextRowProps) {
  const {read, isAsked, changes} = state;
  const field = useRef<HTMLInputElement>(null);
  const isWrong = isAsked && exploration !== undefined && rowOf(exploration) === name;
  useEffect(() => {
    if (isWrong) field.current?.focus();
  }, [isWrong]);
  const own = exploration?.inspection.encrypted.find(({ksn}) => ksn)?.ksn;
  return (
    <label class={changes.some(({row}) => row === label) ? 'wide changed' : 'wide'}>
      <span class="label">{label}</span>
      <input
        ref={field}
        type="text"
        class="field mono"
        {...PLAIN_TEXT}
        placeholder={name === 'iv' ? 'zero' : (own ?? '20 or 24 hex digits')}
        aria-invalid={isWrong}
        value={read[name] ?? exploration?.input[name] ?? ''}
        onInput={({currentTarget: {value}}) => store.edit({[name]: value})}
        onKeyDown={({key}) => key === 'Enter' && store.decrypt()}
      />
    </label>
  );
}

/** Variant and mode are to be chosen for ciphertext that does not say them. */
function Choices({store, state: {read, changes}, exploration}: ReadRowsProps) {
  const {keys, variant, mode} = read;
  const isFree = !exploration || exploration.input.isOpenEnded === true;
  const names = (all: readonly string[]) => all.map((one) => [one, one] as const);
  const choice = (
    label: string,
    value: string | undefined,
    values: readonly (readonly [string, string])[],
    rowsOf: (chosen: string | undefined) => Partial<ExplorationOrder>,
    isDisabled = !isFree,
  ) => (
    <SelectField
      {...{label, isDisabled}}
      value={value ?? ''}
      kind={changes.some(({row}) => row === label) ? 'changed' : ''}
      choices={[['', isDisabled ? 'as its format says' : 'any'], ...values]}
      onChoose={(chosen) => store.choose(rowsOf(chosen || undefined))}
    />
  );
  const roleOf = (name?: string) => RING_KEY_KINDS.find((kind) => kind === name);
  return (
    <>
      {choice(
        'Role',
        keys.role,
        Object.entries(ROLES),
        (role) => ({keys: {...keys, role: roleOf(role)}}),
        false,
      )}
      {choice('Variant', variant, names(BARE_VARIANTS), (one) => ({variant: one}))}
      {choice('Mode', mode, names(BARE_MODES), (one) => ({mode: one}))}
    </>
  );
}
