/** Why a service did not finish reading what came in: its time or memory was used up, or too many waited. */
export interface StoppedReading {
  readonly reason: 'time' | 'memory' | 'queue';
  /** Milliseconds that one reading may take. */
  readonly limitMs: number;
}

/** For people. */
export function stoppedText({reason, limitMs}: StoppedReading): string {
  const texts = {
    time: `stopped after ${limitMs} ms`,
    memory: 'stopped: out of memory',
    queue: 'not started: too many requests are being read',
  };
  return texts[reason];
}
