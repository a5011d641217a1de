/**
 * Reloads a page that the browser restores from its cache, which could show card numbers, and blocks
 * dropped files and links, which would replace the document.
 */
export function blockPageRestore(): void {
  addEventListener('pageshow', ({persisted}) => {
    if (persisted) location.reload();
  });
  for (const type of ['dragover', 'drop'])
    addEventListener(type, (event) => event.preventDefault());
}
