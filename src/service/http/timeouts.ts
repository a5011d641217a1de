/** How many milliseconds a client may take to send; later it gets 408. */
export interface Timeouts {
  /** Of a TLS handshake, too: a client that is later with it is cut off. */
  readonly headers: number;
  /** At least as long as `headers`. */
  readonly request: number;
}

const TIMEOUTS: Timeouts = {headers: 10_000, request: 30_000};

/**
 * Node's options for these limits. All at creation: set later, Node exchanges the two when the limit
 * of the headers is the larger.
 */
export function limitsOf({headers, request}: Timeouts = TIMEOUTS) {
  return {
    headersTimeout: headers,
    handshakeTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(headers / 4)),
    // Node would answer 400 without a body: the check is ours.
    requireHostHeader: false,
  };
}
