/** The text of a CommonJS module with every `require` at the places where its module is used. */
export function inlineRequires(code: string): {toString(): string};
