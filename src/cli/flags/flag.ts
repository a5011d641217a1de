import {string as argument} from '@oclif/core/args';
import {boolean, integer, option, string} from '@oclif/core/flags';
import type {AlphabetLowercase, AlphabetUppercase, InferredFlags} from '@oclif/core/interfaces';

/** The values of flags, as far as they are given. */
export type FlagValues<Flags> = Partial<InferredFlags<Flags>>;

interface FlagSettings {
  readonly char?: AlphabetLowercase | AlphabetUppercase;
  /** Flags without which this one cannot be used. */
  readonly dependsOn?: string[];
  /** Flags with which this one cannot be used. */
  readonly exclusive?: string[];
  readonly defaultHelp?: () => Promise<string>;
}

interface NumberSettings extends FlagSettings {
  readonly min?: number;
  readonly max?: number;
}

interface ChoiceSettings extends FlagSettings {
  readonly helpValue?: string;
}

/** Arguments of commands. */
export const arg = {
  required: (description: string) => argument({description, required: true, ignoreStdin: true}),
  optional: (description: string) => argument({description, ignoreStdin: true}),
  /** One of `options`, which is required. */
  choice: (options: string[], description: string) =>
    argument({description, options, required: true, ignoreStdin: true}),
};

/** Flags of commands; `form` says in the help what a value is, such as `FILE`. */
export const flag = {
  /** Without a value. */
  on: (description: string, settings: FlagSettings = {}) => boolean({description, ...settings}),
  text: (form: string, description: string, settings: FlagSettings = {}) =>
    string({description, helpValue: form, ...settings}),
  required: (form: string, description: string, settings: FlagSettings = {}) =>
    string({description, helpValue: form, required: true, ...settings}),
  /** A text, several times. */
  texts: (form: string, description: string, settings: FlagSettings = {}) =>
    string({description, helpValue: form, ...settings, multiple: true, multipleNonGreedy: true}),
  integer: (form: string, description: string, settings: NumberSettings = {}) =>
    integer({description, helpValue: form, ...settings}),
  /** An integer with a default. */
  defaulted: (
    form: string,
    description: string,
    settings: NumberSettings & {readonly default: number},
  ) => integer({description, helpValue: form, ...settings}),
  /** One of `options`. */
  choice: <const T extends readonly string[]>(
    options: T,
    description: string,
    settings: ChoiceSettings = {},
  ) => option({description, options, ...settings})(),
  /** One of `options`, with a default. */
  chosen: <const T extends readonly string[]>(
    options: T,
    initial: NoInfer<T[number]>,
    description: string,
  ) => option({description, options, default: initial})(),
};

/** Shows `text` in help as the default of a flag whose absence the command must see. */
export function shownDefault(text: string) {
  return {defaultHelp: async () => text};
}
