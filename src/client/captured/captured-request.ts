/** A captured request; text is one byte a character. */
export interface CapturedRequest {
  readonly method: string;
  /** As it is written; its fragment is not sent. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes sent; absent if `bodyFile` has them. */
  readonly body?: Uint8Array;
  /** Name of the file that the body is in, which is never read. */
  readonly bodyFile?: string;
  /** When it was sent, in milliseconds since 1970, if that is known. */
  readonly sentAt?: number;
}

/** The values of a header, whatever the case of its name. */
export function headerValues({headers}: CapturedRequest, name: string): string[] {
  return headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
}

/** Path and query of a captured request, as they were sent. */
export function targetOfCaptured({url}: CapturedRequest): string {
  const [whole = ''] = url.split('#', 1);
  if (whole.startsWith('/')) return whole;
  const rest = whole.replace(/^[a-z][a-z\d+.-]*:\/\//i, '');
  const path = rest.search(/[/?]/);
  if (path < 0) return '/';
  return rest[path] === '?' ? `/${rest.slice(path)}` : rest.slice(path);
}

/** The Host header, or the host of the URL. */
export function hostOfCaptured(request: CapturedRequest): string | undefined {
  const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(request.url)?.[1];
  return headerValues(request, 'host')[0] ?? host;
}
