// Runs the tests of a mutant in a copy of the tree.
import {fork} from 'node:child_process';
import {copyFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** How long may pass before a process says something. */
const LONGEST_MS = {'worker.mjs': 300_000, 'quick-worker.mjs': 120_000};

/** A process that runs tests in a copy; one that hangs is ended, which counts as noticed. */
export class TestRunner {
  #copy;
  #script;
  #child;

  /** `script`: which of the workers runs the tests. */
  constructor(copy, script) {
    this.#copy = copy;
    this.#script = script;
  }

  /** Whether a test notices. A process that dies is asked once more: that may be no fault of the mutant. */
  async kills(mutation) {
    const answer = (await this.#ask(mutation)) ?? (await this.#ask(mutation));
    return answer?.killed ?? true;
  }

  async #ask(mutation) {
    this.#child ??= await this.#start();
    this.#child.send(mutation);
    const answer = await next(this.#child, LONGEST_MS[this.#script]);
    if (answer?.killed === undefined) this.stop();
    if (answer?.killed === undefined) this.#restore(mutation.file);
    return answer;
  }

  stop() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #restore(file) {
    copyFileSync(path.join(root, file), path.join(this.#copy, file));
  }

  async #start() {
    const script = fileURLToPath(new URL(this.#script, import.meta.url));
    const child = fork(script, {cwd: this.#copy, stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
    await next(child, LONGEST_MS[this.#script]);
    return child;
  }
}

/** The next message of a process, `{}` when it takes too long, undefined when it ends. */
function next(child, ms) {
  return new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => done({}), ms);
    child.on('message', (message) => (message.alive ? timer.refresh() : done(message)));
    child.once('exit', () => done(undefined));
  });
}
