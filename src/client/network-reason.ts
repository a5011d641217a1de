const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'the other side broke the connection off',
  UND_ERR_SOCKET: 'the other side broke the connection off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_ABORTED: 'the proxy opens no connection to it',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer broke off',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: name it with --ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: name it with --ca',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified: name its CA with --ca',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Why no answer came within so many milliseconds, for an error of undici, of TLS or of the system. */
export function networkReason(error: unknown, timeout: number): string {
  const {name, code, cause} = error as {name?: string; code?: string; cause?: {code?: string}};
  if (name === 'TimeoutError') return `no answer within ${timeout / 1000} s`;
  const known = code ?? cause?.code ?? 'unknown';
  return REASONS[known] ?? `the system says ${known}`;
}
