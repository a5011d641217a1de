/** A fenced block of a page. */
export interface Fence {
  readonly language: string;
  /** The name under which the reader saves it: the word after the language. */
  readonly file?: string;
  readonly text: string;
}

/** The fenced blocks of a page, in their order. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', file, text = '']) => ({language, ...(file && {file}), text}),
  );
}
