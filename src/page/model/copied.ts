import {hexOfCell, textOfCell} from '../../engine/inspection/cells.js';
import type {Exploration} from './explore.js';

/** Cells as they are copied: in hex or as text, and masked as they are seen. */
export function copied(
  {cells, hidden}: Pick<Exploration, 'cells' | 'hidden'>,
  [from, to]: readonly [from: number, to: number],
  {asText, reveal}: {readonly asText: boolean; readonly reveal: boolean},
): string {
  return Array.from(cells.subarray(from, to), (code, i) => {
    if (hidden[from + i] && !reveal) return asText ? '*' : '**';
    return asText ? textOfCell(code) : hexOfCell(code);
  }).join('');
}
