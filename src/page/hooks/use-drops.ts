import type {ExplorerStore} from '../store/explorer-store.js';
import {useWindowEvents} from './use-window-events.js';

/** Opens files and texts that are dropped anywhere on the page. */
export function useDrops(store: ExplorerStore): void {
  useWindowEvents({
    dragover: (event) => event.preventDefault(),
    drop: (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (file) void store.takeFile(file);
      else if (text !== '') store.take(text);
    },
  });
}
