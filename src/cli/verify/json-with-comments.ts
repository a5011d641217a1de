import {isJsonObject} from '../../contract/parse-json.js';

/** Comments, and strings, in which there are none. What does not end goes to the end. */
const COMMENT_OR_STRING = /\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\.)*"?/g;
/** A string, or one other character. */
const PART = /"(?:[^"\\]|\\.)*"?|[^\s"]/g;

/**
 * JSON without the comments and trailing commas of JSONC, as editors write it: both become spaces,
 * so that every fault in it keeps its place.
 */
export function withoutComments(jsonc: string): string {
  const bare = jsonc.replace(COMMENT_OR_STRING, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' '),
  );
  let before = '';
  return bare.replace(PART, (part, at: number) => {
    const isTrailing = part === ',' && /[^\s[{,:]/.test(before) && isAtEnd(bare, at + 1);
    before = part;
    return isTrailing ? ' ' : part;
  });
}

const CLOSING = /\s*[}\]]/y;

function isAtEnd(text: string, at: number): boolean {
  CLOSING.lastIndex = at;
  return CLOSING.test(text);
}

/** A JSON Schema as far as it describes members. */
export interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly additionalProperties?: Described | boolean;
}

/** JSON with the description of each member in a comment before it, once for each. */
export function commentedJson(value: unknown, schema: Described): string {
  const told = new Set<Described>();
  const write = (one: unknown, described: Described | undefined, indent: string): string => {
    if (!isJsonObject(one)) return JSON.stringify(one);
    const inner = `${indent}  `;
    const members = Object.entries(one).map(([name, member]) => {
      const about = memberSchema(described, name);
      const isNew = about?.description !== undefined && !told.has(about);
      if (about) told.add(about);
      const comment = isNew ? `${inner}// ${about.description}\n` : '';
      return `${comment}${inner}${JSON.stringify(name)}: ${write(member, about, inner)}`;
    });
    return `{\n${members.join(',\n')}\n${indent}}`;
  };
  return write(value, schema, '');
}

function memberSchema(schema: Described | undefined, name: string): Described | undefined {
  const {properties = {}, additionalProperties: other} = schema ?? {};
  return properties[name] ?? (typeof other === 'object' ? other : undefined);
}
