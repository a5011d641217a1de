import {useEffect, useState} from 'preact/hooks';
import {PaylensError} from '../../contract/paylens-error.js';
import {TERMINALS, type TerminalType} from '../../engine/families/registry.js';
import {writerOf} from '../../engine/families/terminal.js';
import type {Writer, WriterOption} from '../../engine/writing.js';
import {DAMAGES} from '../../simulator/damage.js';
import type {SimulatedRequest} from '../../simulator/simulate.js';
import {TEST_CARDS} from '../../simulator/test-cards.js';
import {fieldOfOption, type SimulatedValues, simulated} from '../model/simulated.js';
import {PLAIN_TEXT, SelectField, type SelectProps} from './form-fields.js';

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
  const [values, setValues] = useState<SimulatedValues>({});
  const writer = useWriter(terminal, onError);
  useEffect(() => {
    const isOfAll = ([name]: [string, string]) => !/^(?:mode|option .*)$/.test(name);
    setValues((before) => Object.fromEntries(Object.entries(before).filter(isOfAll)));
  }, [terminal]);
  const set = (name: string, value: string) => setValues((before) => ({...before, [name]: value}));
  const make = (event: Event) => {
    event.preventDefault();
    if (!writer) return;
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    try {
      onRequest(simulated(terminal, writer, given, bdk));
    } catch (error) {
      if (!(error instanceof PaylensError)) throw error;
      onError(error);
    }
  };
  const modes = (writer?.modes ?? []).map((mode) => [mode, mode] as const);
  return (
    <form class="form" aria-label="Simulate" onSubmit={make}>
      <Choice label="Mode" name="mode" choices={modes} {...{values, set}} />
      <Choice label="Test card" name="card" kind="card-choice" choices={CARDS} {...{values, set}} />
      {Object.entries(OWN_CARD).map(([name, [label, placeholder]]) => (
        <TextField key={name} {...{label, name, placeholder, values, set}} />
      ))}
      <button type="submit" class="filled">
        Generate
      </button>
      <details>
        <summary>KSN, damage and options of {terminal}</summary>
        <div class="options">
          {Object.entries(LABELS).map(([name, label]) => (
            <TextField key={name} {...{label, name, values, set}} />
          ))}
          <Choice label="Damage" name="damage" choices={DAMAGE_CHOICES} {...{values, set}} />
          {(writer?.options ?? []).map((option) => (
            <OptionField key={option.name} {...{option, values, set}} />
          ))}
        </div>
      </details>
    </form>
  );
}

const CARDS = TEST_CARDS.map(
  ({id, brand, pan}) => [id, `${id}: ${brand}, ends in ${pan.slice(-4)}`] as const,
);
const DAMAGE_CHOICES = [
  ['', 'none'] as const,
  ...Object.entries(DAMAGES).filter(([name]) => name !== 'repeated-counter'),
];

/** The writer of a terminal once it is loaded. */
function useWriter(terminal: TerminalType, onError: SimulateProps['onError']): Writer | undefined {
  const [writer, setWriter] = useState<Writer>();
  useEffect(() => {
    let isLate = false;
    setWriter(undefined);
    writerOf(TERMINALS[terminal]).then(
      (loaded) => isLate || setWriter(loaded),
      (error) => isLate || onError(error),
    );
    return () => {
      isLate = true;
    };
  }, [terminal]);
  return writer;
}

/** In place of what the test card has. */
const OWN_CARD = {
  pan: ['PAN', '12 to 19 digits'],
  expiry: ['Expiry', 'YYMM'],
  name: ['Name', 'SURNAME/FIRST'],
} as const;
const LABELS = {ksn: 'KSN', counter: 'Counter', serial: 'Serial number', iv: 'IV'} as const;

interface FieldProps {
  readonly values: SimulatedValues;
  readonly set: (name: string, value: string) => void;
}

interface ChoiceProps extends FieldProps, Pick<SelectProps, 'label' | 'kind' | 'choices'> {
  readonly name: string;
}

function Choice({name, values, set, ...props}: ChoiceProps) {
  const value = values[name] ?? props.choices[0]?.[0] ?? '';
  return <SelectField {...{...props, value}} onChoose={(chosen) => set(name, chosen)} />;
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

interface TextProps extends FieldProps, Pick<ChoiceProps, 'label' | 'name'> {
  readonly placeholder?: string;
}

function TextField({label, name, values, set, placeholder}: TextProps) {
  return (
    <label>
      <span class="label">{label}</span>
      <input
        type="text"
        class="field mono"
        {...PLAIN_TEXT}
        {...{placeholder}}
        value={values[name] ?? ''}
        onInput={(event) => set(name, event.currentTarget.value)}
      />
    </label>
  );
}
