import {string} from '@oclif/core/flags';
import type {AlphabetLowercase, AlphabetUppercase, InferredFlags} from '@oclif/core/interfaces';

/** The values of flags, as far as they are given. */
export type FlagValues<Flags> = Partial<InferredFlags<Flags>>;

interface FlagSettings {
  readonly char?: AlphabetLowercase | AlphabetUppercase;
  readonly helpGroup?: string;
  /** Flags without which this one cannot be used. */
  readonly dependsOn?: string[];
  /** Flags with which this one cannot be used. */
  readonly exclusive?: string[];
}

/** A flag with a text as its value; `form` says in the help what that is, such as `FILE`. */
export function valueFlag(form: string, description: string, settings: FlagSettings = {}) {
  return string({description, helpValue: form, ...settings});
}

/** The same for a flag that may be given several times. */
export function repeatableFlag(form: string, description: string, settings: FlagSettings = {}) {
  const several = {multiple: true, multipleNonGreedy: true} as const;
  return string({description, helpValue: form, ...settings, ...several});
}

/** Shows `text` in help as the default of a flag that the command itself must see left out. */
export function shownDefault(text: string) {
  return {defaultHelp: async () => text};
}
