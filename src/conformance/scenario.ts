import type {AuthMethod} from '../contract/auth-method.js';
import type {Operation} from '../contract/operation.js';

/** `interface`: what the interface says; `paylens`: what our contract adds to it. */
export const LEVELS = ['interface', 'paylens'] as const;
export type Level = (typeof LEVELS)[number];

/** What a scenario needs from the configuration; otherwise it is skipped. */
export type Need =
  | AuthMethod
  | 'device'
  | 'inactiveDevice'
  | 'twoClients'
  | 'partnerWithoutHmac'
  | `payload:${string}`;

/** How a request is authenticated, and which fault is made on purpose. */
export interface Authentication {
  /** `none`: no header, and the body unchanged. */
  readonly method: AuthMethod | 'none';
  /** Seconds added to the present time. */
  readonly timeShift?: number;
  /** Uses the nonce of the step before. */
  readonly sameNonce?: boolean;
  /** Another username than the partner's. */
  readonly username?: string;
  /** Another target than the one sent to. */
  readonly signedTarget?: string;
  /** Another body than the one sent. */
  readonly signedBody?: (body: string) => string;
  /** Changes the finished header. */
  readonly change?: (header: string) => string;
  /** Signs with another key. */
  readonly wrongKey?: boolean;
  /** Signs as the configured partner that has no HMAC. */
  readonly asPartnerWithoutHmac?: boolean;
}

/** The expected response. Members that are left out are not checked. */
export interface Expectation {
  readonly success?: boolean;
  /** The request must fail because of its authentication. */
  readonly refused?: boolean;
  readonly status?: number;
  readonly errCode?: number;
  /** Members of the body with these very values. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Headers that must match. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** Further rules. */
  readonly rules?: readonly Rule[];
}

/** Returns what a response has wrong. */
export type Rule = (answer: Answer, heard: Heard) => readonly Mismatch[];

export interface Mismatch {
  readonly expected: string;
  readonly received: string;
}

/** A response as far as scenarios look at it. */
export interface Answer {
  readonly status: number;
  /** Whether the request was accepted, as far as the response says so in any way. */
  readonly accepted: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body is a JSON object and nothing else. */
  readonly isJson: boolean;
  /** The parsed body, whatever stands around the object; undefined when there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** One request and what must come back. */
export interface Step {
  readonly operation: Operation;
  /** Instead of the operation's versioned path. */
  readonly path?: string;
  readonly verb?: string;
  /** Added, or with an empty value left out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON object, to which transparent credentials are added; a text is sent unchanged. */
  readonly body?: object | string;
  readonly authentication?: Authentication;
  readonly expect: Expectation;
}

/** One rule of the interface, shown by one or more requests. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Page and heading of the rule. */
  readonly clause: string;
  readonly level: Level;
  readonly needs: readonly Need[];
  readonly steps: (config: Configuration) => readonly Step[];
  /** Ids of scenarios that it builds on: it does not fail for what has already failed them. */
  readonly basis?: readonly string[];
  /** A scenario without steps: judges the responses to all others. */
  readonly watch?: Watch;
}

/** A rule about every response that it concerns, whatever scenario asked for it. */
export interface Watch {
  readonly concerns: (heard: Heard) => boolean;
  readonly rule: Rule;
}

/** A response of the run, the step that it answers, and the responses before it. */
export interface Heard {
  readonly id: string;
  /** Counted from 1. */
  readonly number: number;
  readonly step: Step;
  readonly answer: Answer;
  readonly before: readonly Answer[];
}

/** A device that a scenario can ask for. */
export interface ConfiguredDevice {
  readonly serial: string;
  readonly firmware: string;
  readonly clientId?: string;
}

/** A read of one device type and what is known of its card. */
export interface ConfiguredPayload {
  readonly deviceType: string;
  readonly devicePayload: string;
  readonly deviceSerial?: string;
  readonly ksn?: string;
  readonly iv?: string;
  /** Members of `extracted` that must come back. */
  readonly expect?: Readonly<Record<string, string>>;
}

/** What the caller knows of the endpoint, besides credentials. */
export interface Configuration {
  readonly device?: ConfiguredDevice;
  readonly inactiveDevice?: ConfiguredDevice;
  /** A device that several clients own. */
  readonly twoClients?: ConfiguredDevice;
  /** By name; usually the device type. */
  readonly payloads?: Readonly<Record<string, ConfiguredPayload>>;
}
