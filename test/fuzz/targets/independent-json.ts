/**
 * The violation of the contract in a body, found independently: JSON.parse for the grammar, then
 * the tokens of a regular expression for what JSON.parse accepts. Undefined if the body is valid.
 */
export function faultOfJson(bytes: Uint8Array): string | undefined {
  const text = textOf(bytes);
  if (text === undefined) return 'it is no UTF-8';
  const value = parsed(text);
  if (value === undefined) return 'it is no JSON';
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'it is no object';
  return faultOfTokens(text);
}

function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  if (!Buffer.from(text).equals(bytes)) return undefined;
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOfTokens(text: string): string | undefined {
  const names: string[][] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/g)) {
    if (token === '{' || token === '[') names.push([]);
    else if (token === '}' || token === ']') names.pop();
    else if (token.endsWith(':')) {
      const name: string = JSON.parse(token.slice(0, -1));
      if (name === '__proto__') return 'it has __proto__';
      if (names.at(-1)?.includes(name)) return 'a member stands twice';
      names.at(-1)?.push(name);
    }
    if (names.length > 8) return 'it is nested too deep';
  }
  return undefined;
}
