import {createHash, timingSafeEqual} from 'node:crypto';
import {PaylensError} from '../../contract/paylens-error.js';
import {headerValues} from '../http/request-head.js';

/** Secrets of an inspector that is not for everybody on this machine; both are random. */
export interface InspectorSecrets {
  /** In the ready line: good for one exchange. */
  readonly token: string;
  /** The value of the cookie that it is exchanged for, valid as long as the process. */
  readonly session: string;
}

/** Wrong tokens in a row that are told so; then those that are wrong are put off for a while. */
const MOST_WRONG = 10;
const PAUSE_MS = 60_000;

interface Options {
  readonly secrets: InspectorSecrets;
  /** Whether this call is the first of all processes of the service. */
  readonly claim: () => boolean | Promise<boolean>;
  /** Milliseconds of a steady clock. */
  readonly elapsed: () => number;
}

/** Exchanges the token of the ready line for a cookie, once, and knows the cookie afterwards. */
export class InspectorToken {
  readonly #options: Options;
  readonly #token: Buffer;
  readonly #session: Buffer;
  #wrong = 0;
  #pausedUntil = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#token = digest(options.secrets.token);
    this.#session = digest(options.secrets.session);
  }

  /**
   * The value of the cookie. Throws 1003 for a token that is wrong or was used, 2 for one that is
   * wrong when too many were. The right one is taken at any time: 256 bits need no pause to be safe,
   * and who sends wrong ones must not lock out the one who has it.
   */
  async exchange(token: unknown): Promise<string> {
    const isRight = typeof token === 'string' && timingSafeEqual(digest(token), this.#token);
    if (isRight && (await this.#options.claim())) return this.#options.secrets.session;
    const now = this.#options.elapsed();
    if (now < this.#pausedUntil) throw new PaylensError(2, 'too many wrong tokens');
    this.#wrong += 1;
    if (this.#wrong >= MOST_WRONG) {
      this.#wrong = 0;
      this.#pausedUntil = now + PAUSE_MS;
    }
    throw new PaylensError(1003, isRight ? 'this token was used already' : '');
  }

  /** Throws 1003 unless a request has the cookie of this process. */
  demandCookie(rawHeaders: readonly string[], name: string): void {
    const values = cookiesOf(rawHeaders, name);
    const [value = ''] = values;
    if (values.length === 1 && timingSafeEqual(digest(value), this.#session)) return;
    throw new PaylensError(1003, 'open the address of the ready line: it has the token');
  }
}

/** Cookies of one host are sent to all its ports: the name tells which is whose. */
export function cookieName(port: number): string {
  return `paylens-inspector-${port}`;
}

/** The header that sets it, for as long as the browser runs. */
export function cookieHeader(port: number, value: string, scheme: 'http' | 'https'): string {
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

function cookiesOf(rawHeaders: readonly string[], name: string): string[] {
  const pairs = headerValues(rawHeaders, 'cookie').flatMap((value) => value.split(';'));
  const own = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${name}=`));
  return own.map((pair) => pair.slice(name.length + 1));
}

/** Of one length, whatever was sent: so is the time of comparing them. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
