/** The operations of the interface, by the names of `send`. */
export const OPERATIONS = ['partner', 'device', 'payload'] as const;
export type Operation = (typeof OPERATIONS)[number];

const PATHS: Readonly<Record<Operation, string>> = {
  partner: '/api/v1/partner/validate',
  device: '/api/v1/device/validate',
  payload: '/api/v1/decrypt/parser',
};

/**
 * The URL of an operation: its path (docs/interface.md#endpoints) after the base URL as it stands.
 */
export function operationUrl(baseUrl: string, operation: Operation): string {
  return `${baseUrl.replace(/\/+$/, '')}${PATHS[operation]}`;
}
