import type {ComponentChildren, JSX} from 'preact';

/** A field that the browser neither completes nor corrects. */
export const PLAIN_TEXT = {autocomplete: 'off', autocapitalize: 'off', spellcheck: false} as const;

/** A button that submits no form. */
export function Button(props: JSX.IntrinsicElements['button']) {
  return <button type="button" {...props} />;
}

export interface SelectProps {
  readonly label: ComponentChildren;
  /** Class of the label. */
  readonly kind?: string | undefined;
  readonly value: string;
  /** Values, each with its text. */
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly isDisabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** A labelled list of choices. */
export function SelectField({label, kind, value, choices, isDisabled, onChoose}: SelectProps) {
  return (
    <label class={kind}>
      <span class="label">{label}</span>
      <select
        class="field"
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface MenuProps extends Pick<SelectProps, 'choices' | 'onChoose'> {
  readonly name: string;
  readonly isDisabled: boolean;
}

/** A list of actions: choosing one runs it. */
export function Menu({name, isDisabled, choices, onChoose}: MenuProps) {
  return (
    <select
      class="field menu"
      aria-label={name}
      disabled={isDisabled}
      value=""
      onChange={({currentTarget}) => {
        const {value} = currentTarget;
        currentTarget.value = '';
        if (value !== '') onChoose(value);
      }}
    >
      <option value="">{name}</option>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
