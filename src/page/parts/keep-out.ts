/**
 * What nobody may do to a page from outside: bring it back from the memory of the browser as it was,
 * card numbers shown, or put another document in its place by dropping a file or a link on it.
 */
export function keepOut(): void {
  addEventListener('pageshow', ({persisted}) => {
    if (persisted) location.reload();
  });
  for (const type of ['dragover', 'drop'])
    addEventListener(type, (event) => event.preventDefault());
}
