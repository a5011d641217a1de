// Runs the tests of a mutant in a copy of the tree.
import {fork} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** A process that runs tests in a copy; one that hangs is ended. */
export class TestRunner {
  /** How long may pass before the process says something. */
  longestMs = 300_000;
  #copy;
  #script;
  #child;

  /** `script`: which of the workers runs the tests. */
  constructor(copy, script) {
    this.#copy = copy;
    this.#script = script;
  }

  /**
   * What becomes of a mutant: `killed` when a test notices, `timeout` when the tests hang, `survived`.
   * A process that dies is asked once more: that may be no fault of the mutant.
   */
  async fateOf(mutation) {
    const answer = (await this.ask(mutation)) ?? (await this.ask(mutation));
    if (answer?.timeout) return 'timeout';
    return (answer?.killed ?? true) ? 'killed' : 'survived';
  }

  /** The answer of the process, `{timeout}` when it takes too long, undefined when it ends. */
  async ask(message) {
    this.#child ??= await this.#start();
    this.#child.send(message);
    const answer = await next(this.#child, this.longestMs);
    if (!answer || answer.timeout) this.#giveUp(message);
    return answer;
  }

  stop() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #giveUp({file, original}) {
    this.stop();
    if (original) writeFileSync(path.join(this.#copy, file), original);
  }

  async #start() {
    const script = fileURLToPath(new URL(this.#script, import.meta.url));
    const child = fork(script, {cwd: this.#copy, stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
    await next(child, this.longestMs);
    return child;
  }
}

/** The next message of a process, `{timeout}` when it takes too long, undefined when it ends. */
function next(child, ms) {
  return new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => done({timeout: true}), ms);
    child.on('message', (message) => (message.alive ? timer.refresh() : done(message)));
    child.once('exit', () => done(undefined));
  });
}
