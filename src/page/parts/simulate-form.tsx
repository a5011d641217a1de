import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {PaylensError} from '../../contract/paylens-error.js';
import {TERMINALS, type TerminalType} from '../../engine/devices/registry.js';
import {writerOf} from '../../engine/devices/terminal.js';
import type {Writer, WriterOption} from '../../engine/devices/writer.js';
import {DAMAGES} from '../../simulator/damage.js';
import type {SimulatedRequest} from '../../simulator/simulate.js';
import {TEST_CARDS} from '../../simulator/test-cards.js';
import {fieldOfOption, simulated} from '../model/simulated.js';

interface SimulateProps {
  readonly terminal: TerminalType | undefined;
  /** A typed BDK; without one the published test keys are used. */
  readonly bdk: string | undefined;
  readonly onRequest: (request: SimulatedRequest) => void;
  readonly onError: (error: PaylensError) => void;
}

const USUAL: TerminalType = 'idtech';

/** The form that makes payloads: everything that `simulate` takes. */
export function SimulateForm({terminal = USUAL, bdk, onRequest, onError}: SimulateProps) {
  const [writer, setWriter] = useState<Writer>();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => {
    let isLate = false;
    setWriter(undefined);
    setValues((before) => pick(before, KEPT));
    writerOf(TERMINALS[terminal]).then(
      (found) => isLate || setWriter(found),
      (error) => isLate || onError(error),
    );
    return () => {
      isLate = true;
    };
  }, [terminal]);
  const set = (name: string, value: string) => setValues((before) => ({...before, [name]: value}));
  const make = () => {
    if (!writer) return;
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    try {
      onRequest(simulated(terminal, writer, given, bdk));
    } catch (error) {
      if (!(error instanceof PaylensError)) throw error;
      onError(error);
    }
  };
  const damages = Object.entries(DAMAGES).filter(([name]) => name !== 'repeated-counter');
  const cards = TEST_CARDS.map(
    ({id, brand, pan}) => [id, `${id}: ${brand}, ends in ${pan.slice(-4)}`] as const,
  );
  const texts = ['ksn', 'counter', 'serial', 'iv'] as const;
  return (
    <form
      class="form"
      aria-label="Simulate"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <Choice
        label="Mode"
        name="mode"
        choices={(writer?.modes ?? []).map((one) => [one, one])}
        {...{values, set}}
      />
      <Choice label="Test card" name="card" kind="card-choice" choices={cards} {...{values, set}} />
      {texts.map((name) => (
        <TextField key={name} label={LABELS[name]} {...{name, values, set}} />
      ))}
      <Choice
        label="Damage"
        name="damage"
        choices={[['', 'none'], ...damages]}
        {...{values, set}}
      />
      <button type="submit" class="filled">
        Generate
      </button>
      {writer !== undefined && writer.options.length > 0 && (
        <fieldset class="options">
          <legend>Options of {terminal}</legend>
          {writer.options.map((option) => (
            <OptionField key={option.name} {...{option, values, set}} />
          ))}
        </fieldset>
      )}
    </form>
  );
}

/** What is kept when another terminal is chosen. */
const KEPT = ['card', 'damage', 'ksn', 'counter', 'serial', 'iv'];
const LABELS = {ksn: 'KSN', counter: 'Counter', serial: 'Serial number', iv: 'IV'} as const;

function pick(values: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => names.includes(name) && value !== ''),
  );
}

interface FieldProps {
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
}

interface ChoiceProps extends FieldProps {
  readonly label: ComponentChildren;
  readonly kind?: string;
  readonly name: string;
  readonly choices: readonly (readonly [string, string])[];
}

function Choice({label, kind, name, choices, values, set}: ChoiceProps) {
  return (
    <label class={kind}>
      <span class="label">{label}</span>
      <select
        class="field"
        value={values[name] ?? choices[0]?.[0] ?? ''}
        onChange={(event) => set(name, event.currentTarget.value)}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function OptionField({option, values, set}: FieldProps & {readonly option: WriterOption}) {
  const {values: known, form} = option;
  const label = (
    <>
      <span class="said">Option </span>
      {option.name}
    </>
  );
  const name = fieldOfOption(option.name);
  if (form) return <TextField {...{label, name, values, set}} placeholder={known[0] ?? ''} />;
  const choices = known.map((value) => [value, value || 'usual'] as const);
  return <Choice {...{label, name, choices, values, set}} />;
}

interface TextProps extends FieldProps {
  readonly label: ComponentChildren;
  readonly name: string;
  readonly placeholder?: string;
}

function TextField({label, name, values, set, placeholder}: TextProps) {
  return (
    <label>
      <span class="label">{label}</span>
      <input
        type="text"
        class="field mono"
        autocomplete="off"
        spellcheck={false}
        {...{placeholder}}
        value={values[name] ?? ''}
        onInput={(event) => set(name, event.currentTarget.value)}
      />
    </label>
  );
}
