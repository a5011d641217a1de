// Tables between markers of a page that is otherwise written by hand:
// <!-- made: facts miura --> ... <!-- end -->
const MARKED = /(<!-- made: ([^>]*?) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The page with the current text between each pair of markers. Throws if a marker is unknown. */
export function fillMarkers(page: string, tables: ReadonlyMap<string, string>): string {
  return page.replaceAll(MARKED, (_, begin: string, name: string, end: string) => {
    const text = tables.get(name);
    if (text === undefined) throw new Error(`no table is called "${name}"`);
    return text === '' ? begin + end : `${begin}\n${text}\n\n${end}`;
  });
}

/** The names of the markers of a page. */
export function markersOf(page: string): string[] {
  return [...page.matchAll(MARKED)].map(([, , name = '']) => name);
}
