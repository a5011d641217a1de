import {useEffect} from 'preact/hooks';
import type {ExplorerStore} from '../store/explorer-store.js';

/** Opens files and texts that are dropped anywhere on the page. */
export function useDrops(store: ExplorerStore): void {
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (file) void store.takeFile(file);
      else if (text !== '') store.take(text);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [store]);
}
