import type {QueuedAnswer} from './queued-answer.js';
import type {ReceivedRequest} from './received-request.js';

/**
 * A request in the list of the inspector, also one that was refused before it reached an operation:
 * that has no `operation`.
 */
export interface InspectedRequest
  extends Omit<Partial<ReceivedRequest>, 'time' | 'target' | 'status' | 'messageId'> {
  /** The process that received it; sequence numbers are of one process. */
  readonly process: number;
  readonly sequence: number;
  readonly time: string;
  readonly method?: string;
  readonly target: string;
  readonly status: number;
  readonly messageId: string;
  /** What the error says beyond its title. */
  readonly detail?: string;
  /** Why authentication refused it. */
  readonly reason?: string;
  /** The known partner that a refused request names. */
  readonly namedPartner?: string;
  /** Its error or fault was asked for, in the request or by a queued answer. */
  readonly isRequested?: true;
}

/** The last sequence number that is known of each process. */
export type Cursor = Readonly<Record<string, number>>;

/** One line of the inspector's stream. */
export interface StreamBatch {
  /** The first line of every connection. */
  readonly hello?: StreamHello;
  /** Oldest first. */
  readonly requests?: readonly InspectedRequest[];
  /** Where to resume. */
  readonly cursor?: Cursor;
  /** How many requests since the cursor are no longer kept. */
  readonly missed?: number;
  /** Requests of these processes up to these numbers were cleared. */
  readonly cleared?: Cursor;
  /** The queued answers, whenever they have changed. */
  readonly answers?: readonly QueuedAnswer[];
}

/** What a page must know of its server. */
export interface StreamHello {
  /** Another one after a restart. */
  readonly server: string;
  readonly mode: 'demo' | 'mock' | 'real';
  readonly version: string;
  /** How many requests a process keeps. */
  readonly kept: number;
}

/** Passed, failed, or not reached because an earlier step failed. */
export type StepState = 'passed' | 'failed' | 'not reached';

/** A step of the authentication of a request. */
export interface SignatureStep {
  readonly name: string;
  readonly state: StepState;
  readonly text: string;
}

/** A part of a payload, its card data masked. */
export interface InspectedPart {
  readonly offset: number;
  readonly length: number;
  readonly depth: number;
  readonly name: string;
  readonly value: string;
  readonly meaning?: string;
}

/** A check value in a payload. */
export interface InspectedCheck {
  readonly offset: number;
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** A ciphertext in a payload. */
export interface InspectedCiphertext {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly ksn?: string;
  /** Cipher, mode and variant, as the engine has them. */
  readonly setting: object;
}

/** What can be told of a payload without a key. */
export interface InspectedPayload {
  readonly deviceType: string;
  /** As it was sent; absent in real mode. */
  readonly text?: string;
  readonly ksn?: string;
  readonly iv?: string;
  /** It has card data that is not encrypted: a body is shown without it. */
  readonly holdsCard?: boolean;
  readonly form?: string;
  readonly unit: 'byte' | 'character';
  readonly parts: readonly InspectedPart[];
  readonly encrypted: readonly InspectedCiphertext[];
  readonly checks: readonly InspectedCheck[];
  /** In real mode its bytes, or characters, by their codes; null where card data is in clear. */
  readonly cells?: readonly (number | null)[];
  /** Where parsing stopped. */
  readonly failure?: {readonly errCode: number; readonly message: string; readonly hint: string};
}

/** What becomes of the credentials of a request that is sent again. */
export interface Resigning {
  /**
   * `signed` anew; `kept`: they prove no target and no body; `impossible`: this service lacks the
   * key, so that only a request without changes can be sent.
   */
  readonly kind: 'signed' | 'kept' | 'impossible';
  readonly text: string;
}

/**
 * A request or a response as it went over the wire, with an asterisk for each byte of secrets and
 * card numbers. Body: absent if it is empty; in base64 if it is no UTF-8.
 */
export interface WireMessage {
  /** `POST /path HTTP/1.1`, `HTTP/1.1 200 OK`; of an answer to this page itself ''. */
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly bodyBase64?: string;
  /**
   * Demo and mock: where asterisks stand for card data, how many, and for what, as characters of the
   * body.
   */
  readonly hidden?: readonly (readonly [at: number, stars: number, text: string])[];
}

/**
 * Everything about one request: its secrets and card numbers are masked. Line, headers and body are
 * those of the request; without a line, they are not stored.
 */
export interface RequestDetail extends Partial<WireMessage> {
  readonly request: InspectedRequest;
  /** Title and hint of its error, from the catalogue. */
  readonly error?: {
    readonly errCode: number;
    readonly title: string;
    readonly hint: string;
    /** The page and heading of the contract that explain it. */
    readonly clause: string;
  };
  /** Reading it was stopped: headers, body, payload and explanation are missing. */
  readonly stopped?: StoppedReading;
  /** Why it was refused, in words. */
  readonly faults: readonly string[];
  readonly steps: readonly SignatureStep[];
  readonly stringToHash?: string;
  /** What the client signed, where a usual mistake explains its signature. */
  readonly signedString?: string;
  /** No usual mistake explains the signature. */
  readonly unexplained?: true;
  readonly contentHash?: string;
  readonly payload?: InspectedPayload;
  /** Absent: none was sent. */
  readonly response?: WireMessage;
  /** How it would be signed if it was edited; absent in real mode. */
  readonly resigning?: Resigning;
}

/** A request that can be sent once more, with secrets and a new signature where that is allowed. */
export interface RequestCopy {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Absent: the body is no text. */
  readonly body?: string;
  readonly bodyBase64?: string;
  /** Whether something in it is masked. */
  readonly isMasked: boolean;
  /** Absent: it is masked. */
  readonly resigning?: Resigning;
}

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
