import {withoutEnd} from '../platform/without-end.js';
/**
 * The three operations of the interface, and where they are served (docs/interface.md#endpoints,
 * docs/contract.md#paths).
 */
export const OPERATIONS = ['validate-partner', 'validate-device', 'process-payload'] as const;

export type Operation = (typeof OPERATIONS)[number];

const SUFFIX: Readonly<Record<Operation, string>> = {
  'validate-partner': '/partner/validate',
  'validate-device': '/device/validate',
  'process-payload': '/decrypt/parser',
};

/** The path of an operation, with its version or, as newer deployments have it, without. */
export function pathOf(operation: Operation, versioned = true): string {
  return (versioned ? '/api/v1' : '/api') + SUFFIX[operation];
}

/** The URL of a path below a base URL, which may have a path of its own. */
export function urlBelow(baseUrl: string, path: string): string {
  return withoutEnd(baseUrl, /\//) + path;
}

/** The operation that every path serves. */
export const OPERATION_BY_PATH: ReadonlyMap<string, Operation> = new Map(
  OPERATIONS.flatMap((operation) => [
    [pathOf(operation, true), operation] as const,
    [pathOf(operation, false), operation] as const,
  ]),
);

const ROOTS = [...OPERATION_BY_PATH.keys(), '/api/v1', '/api'];

/** A base URL without a path of the interface at its end: people copy the URL of an endpoint. */
export function serviceRoot(url: string): string {
  const path = /^[a-z]+:\/\/[^/]+(\/.*)?$/is.exec(url)?.[1] ?? '';
  const root = ROOTS.find((end) => path.endsWith(end));
  return root === undefined ? url : withoutEnd(url.slice(0, -root.length), /\//);
}
