import {PaylensError, passOnOwnFault} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../devices/registry.js';
import type {AnyTerminal} from '../devices/terminal.js';
import type {TerminalSet} from '../devices/terminal-set.js';
import {readPayload} from '../read-payload.js';

/**
 * What the readers say of a text: a form of their own (`intact`), one that only its length or its
 * members tell (`weak`), one whose checks fail (`damaged`), one that ends too early (`cut`), as many
 * bytes seem to, or nothing.
 */
export type Judgement = 'intact' | 'weak' | 'damaged' | 'cut' | 'none';

/** From the best to the worst. */
export const JUDGEMENTS: readonly Judgement[] = ['intact', 'weak', 'damaged', 'cut', 'none'];

/** The best that the readers say of a text; of the named terminal's only, if one is named. */
export function judge(
  text: string,
  deviceType?: string,
  terminals: TerminalSet = KNOWN_TERMINALS,
): Judgement {
  const tried = deviceType ? [terminals.get(deviceType)] : terminals.trying(text);
  const found = new Set(tried.map((terminal) => judgeAs(terminal, text)));
  return JUDGEMENTS.find((one) => found.has(one)) ?? 'none';
}

function judgeAs(terminal: AnyTerminal, text: string): Judgement {
  try {
    const {refusal, toldBy} = readPayload(terminal, text);
    if (refusal?.code === 2100) return 'none';
    return toldBy ? 'weak' : 'intact';
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    passOnOwnFault(error);
    return FAILURES[error.code] ?? 'none';
  }
}

const FAILURES: Readonly<Record<number, Judgement>> = {2101: 'damaged', 2102: 'cut'};
