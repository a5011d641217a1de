import {type ComponentChild, render} from 'preact';

/**
 * Shows a page. It is reloaded if the browser restores it from its cache, which could show card
 * numbers, and dropped files and links, which would replace the document, are blocked.
 */
export function mount(page: ComponentChild): void {
  addEventListener('pageshow', ({persisted}) => {
    if (persisted) location.reload();
  });
  for (const type of ['dragover', 'drop'])
    addEventListener(type, (event) => event.preventDefault());
  const root = document.querySelector('#app');
  if (root) render(page, root);
}
