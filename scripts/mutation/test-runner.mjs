// Runs the tests of a mutant in a copy of the tree.
import {fork} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** A process that runs tests in a copy of the repository; one that hangs is terminated. */
export class TestRunner {
  /** Longest time without a message from the process. */
  longestMs = 300_000;
  #copy;
  #script;
  #child;

  /** `script`: the worker that runs the tests. */
  constructor(copy, script) {
    this.#copy = copy;
    this.#script = script;
  }

  /**
   * The outcome of a mutant: `killed` if a test fails, `timeout` if the tests hang, `survived`. If
   * the process dies it is tried once more, since that may not be due to the mutant.
   */
  async fateOf(mutation) {
    const answer = (await this.ask(mutation)) ?? (await this.ask(mutation));
    if (answer?.timeout) return 'timeout';
    return (answer?.killed ?? true) ? 'killed' : 'survived';
  }

  /**
   * The response of the process; `{timeout}` if it takes too long, undefined if the process exits.
   */
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

/**
 * The next message of a process; `{timeout}` if it takes too long, undefined if the process exits.
 */
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
