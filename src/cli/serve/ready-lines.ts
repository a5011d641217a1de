import type {Layout} from '../output/layout/layout.js';
import {widthOf} from '../output/layout/text-width.js';

/** What a service says when it is ready. */
export interface Ready {
  /** Base URL. */
  readonly url: string;
  /** Address of the inspector, where it is not that of the service. */
  readonly inspector?: string;
  readonly partner?: Readonly<Record<string, string>>;
}

/**
 * What a person needs first, for a terminal: the URL to open, then the partner and its keys, and the
 * pages of the service. Every value is whole in its line, for copying.
 */
export function readyLines({url, inspector, partner = {}}: Ready): Layout {
  const hasPage = inspector !== undefined || Object.keys(partner).length > 0;
  const lines = Object.entries({
    open: inspector ?? url,
    ...partner,
    ...(hasPage && {inspector: inspector ?? `${url}/`}),
    docs: `${url}/docs`,
  });
  const column = Math.max(...lines.map(([name]) => name.length)) + 2;
  return (width) =>
    lines
      .map(([name, value]) => {
        const line = name.padEnd(column) + value;
        return widthOf(line) <= width ? line : `${name}\n${value}`;
      })
      .join('\n');
}
