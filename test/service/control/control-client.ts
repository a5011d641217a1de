import {DEMO_PARTNER} from '../../../src/service/registry/demo-registry.js';

const {partnerId, partnerKey} = DEMO_PARTNER;

/** An answer of the service, parsed where it is JSON. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: of any route
  readonly body: any;
}

/** Sends a request for the control of a service. */
export async function tell(
  base: string,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> {
  const [method = '', path = ''] = line.split(' ');
  const json = body === undefined ? {} : {'content-type': 'application/json'};
  const text = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
  const init = {method, headers: {...json, ...headers}, body: text};
  return told(await fetch(base + path, init));
}

/** Sends a request of the interface with the demo partner's credentials. */
export async function call(
  base: string,
  body: Record<string, unknown> = {},
  path = '/api/v1/decrypt/parser',
): Promise<Told> {
  const read = path.endsWith('parser') ? {deviceType: 'miura', devicePayload: 'E100'} : {};
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({partnerId, partnerKey, ...read, ...body}),
  });
  return told(response);
}

async function told(response: Response): Promise<Told> {
  const text = await response.text();
  const {status, headers} = response;
  return {status, headers, body: text === '' ? undefined : JSON.parse(text)};
}
