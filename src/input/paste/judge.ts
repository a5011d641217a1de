import {PaylensError, rethrowTerminalFault} from '../../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {AnyTerminal} from '../../engine/families/terminal.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {readPayload} from '../../engine/read-payload.js';
import {withoutLineEnd} from './request-input.js';

/**
 * How the readers judge a text: a form of their terminal (`intact`), one recognised only by its length
 * or its members (`weak`), one whose checks fail (`damaged`), one that ends too early (`cut`), as many
 * bytes seem to, or nothing.
 */
export type Judgement = 'intact' | 'weak' | 'damaged' | 'cut' | 'none';

/** From the best to the worst. */
export const JUDGEMENTS: readonly Judgement[] = ['intact', 'weak', 'damaged', 'cut', 'none'];

/** The best judgement of all readers, or of the named terminal's reader. */
export function judge(
  text: string,
  deviceType?: string,
  terminals: TerminalSet = KNOWN_TERMINALS,
): Judgement {
  const tried = deviceType ? [terminals.get(deviceType)] : terminals.trying(text);
  const found = new Set(tried.map((terminal) => judgeAs(terminal, text, terminals)));
  return JUDGEMENTS.find((one) => found.has(one)) ?? 'none';
}

function judgeAs(terminal: AnyTerminal, text: string, terminals: TerminalSet): Judgement {
  try {
    const {refusal, recognisedBy} = readPayload(terminal, text, undefined, terminals);
    if (refusal?.code === 2100) return 'none';
    return recognisedBy ? 'weak' : 'intact';
  } catch (error) {
    if (!(error instanceof PaylensError)) throw error;
    rethrowTerminalFault(error);
    return FAILURES[error.code] ?? 'none';
  }
}

const FAILURES: Readonly<Record<number, Judgement>> = {2101: 'damaged', 2102: 'cut'};

/** A request names its terminal or has its payload in a member: its JSON is never taken apart. */
const REQUEST = /"device(?:Type|Payload)"/;

/**
 * Whether a text may be a payload in a notation that no terminal sends, so that `readPaste` has to
 * look. A payload as the terminal sends it comes first.
 */
export function mayBePaste(text: string, deviceType?: string, terminals?: TerminalSet): boolean {
  return (
    !REQUEST.test(text) && !isRead(judge(withoutLineEnd(text, terminals), deviceType, terminals))
  );
}

/** Whether a terminal recognises a text as it is. */
export function isRead(judgement: Judgement): boolean {
  return judgement === 'intact' || judgement === 'weak';
}
