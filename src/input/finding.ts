/** A mistake in an input that shows before any key is tried. The diagnosis explains each. */
export type InputLabel =
  | 'base64'
  | 'bytes-around'
  | 'chain-runs-on'
  | 'digits-missing'
  | 'frame-added-character'
  | 'frame-damaged'
  | 'frame-intact'
  | 'frame-lost-character'
  | 'frame-lower-case'
  | 'hex-of-hex'
  | 'keyboard-layout'
  | 'look-alikes'
  | 'odd-hex'
  | 'text-around'
  | 'text-encoding'
  | 'text-escaped'
  | 'white-space'
  | 'whole-frame'
  | 'wrong-slice'
  | 'wrong-type';

/** A label, with details of this input. */
export interface InputFinding {
  readonly label: InputLabel;
  /** One sentence: what was found, and where. Never a key or a card number. */
  readonly detail?: string;
}
