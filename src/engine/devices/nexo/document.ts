import {SaxesParser} from 'saxes';
import {type JsonObject, parseJsonObject} from '../../../contract/parse-json.js';
import {PaylensError} from '../../../contract/paylens-error.js';
import {jsonMembersIn} from '../shared/json-payload.js';
import {NAMES, type Name} from './layout.js';

/** An element of XML, an attribute of it, or a member of JSON. */
export interface Node {
  /** In lower case, without the prefix of a namespace. */
  readonly name: string;
  /** Of a node without children; trimmed. */
  readonly text: string;
  readonly children: readonly Node[];
  /** In the text, of an element or of a member with a value. */
  readonly offset?: number | undefined;
}

/** Told of each element while XML is read: its name, place and text; containers at their tag. */
export type Note = (part: {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly depth: number;
  readonly text: string;
}) => void;

/** Deeper than any message: Document to Algo are 16. */
const DEEPEST = 48;

interface Open {
  readonly tag: string;
  readonly name: string;
  readonly offset: number;
  readonly tagEnd: number;
  /** Whether an element is inside, so that the tag is a part of its own. */
  hasElements: boolean;
  text: string;
  readonly children: Node[];
}

/**
 * Reads one XML document, without a document type and with no entities but the five of XML. Throws
 * 2100 if it is not well-formed, naming the place.
 */
export function readXml(text: string, note: Note = () => {}): Node {
  const parser = new SaxesParser({position: true});
  const stack: Open[] = [];
  let root: Node | undefined;
  const fail = (why: string): never => {
    throw new PaylensError(2100, `XML at character ${parser.position}: ${why}`);
  };
  parser.on('error', () => fail('not well-formed'));
  parser.on('doctype', () => fail('expected no document type'));
  parser.on('processinginstruction', () => fail('expected no processing instruction'));
  parser.on('opentag', ({name, attributes}) => {
    if (stack.length >= DEEPEST) fail(`expected at most ${DEEPEST} levels`);
    const tagEnd = parser.position;
    const offset = text.lastIndexOf('<', tagEnd - 1);
    const own = Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns'));
    const children = own.map(([key, value]) => ({...leaf(localName(key), value), offset}));
    const parent = stack.at(-1);
    if (parent && !parent.hasElements) noteTag(parent, stack.length - 1, note);
    if (parent) parent.hasElements = true;
    const place = {offset, tagEnd, hasElements: false};
    stack.push({tag: name, name: localName(name), ...place, text: '', children});
  });
  const add = (piece: string) => {
    const top = stack.at(-1);
    if (top) top.text += piece;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const top = stack.pop() as Open;
    const {name, offset, children} = top;
    const node = {name, text: top.text.trim(), children, offset};
    if (!top.hasElements) noteLeaf(top, parser.position, stack.length, note);
    const parent = stack.at(-1);
    if (parent) parent.children.push(node);
    else root = node;
  });
  parser.write(text).close();
  return root ?? fail('expected an element');
}

function noteTag({tag, offset, tagEnd, children}: Open, depth: number, note: Note): void {
  note({name: tag, offset, length: tagEnd - offset, depth, text: attributesOf(children)});
}

function noteLeaf(open: Open, end: number, depth: number, note: Note): void {
  const {tag, offset, text, children} = open;
  const value = [text.trim(), attributesOf(children)].filter(Boolean).join(' ');
  note({name: tag, offset, length: end - offset, depth, text: value});
}

/** Before an element has others in it, its children are its attributes. */
function attributesOf(children: readonly Node[]): string {
  return children.map(({name, text}) => `${name}=${text}`).join(' ');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function leaf(name: string, text: string): Node {
  return {name, text: text.trim(), children: []};
}

/** Reads one JSON object; an array is its entries under the same name. Throws 2100. */
export function readJson(text: string): Node {
  try {
    const children = membersOf(parseJsonObject(text), placesIn(text));
    return {name: '', text: '', children};
  } catch (error) {
    const why = error instanceof PaylensError ? error.detail : 'no JSON';
    throw new PaylensError(2100, `JSON: ${why}`);
  }
}

/** Where members with values begin, by name and value. */
type Places = ReadonlyMap<string, number>;

function placesIn(text: string): Places {
  const members = [...jsonMembersIn(text)].reverse();
  return new Map(
    members.map(({name, value, offset}) => [keyOf(name.toLowerCase(), value), offset]),
  );
}

function keyOf(name: string, value = ''): string {
  return `${name} ${value}`;
}

function membersOf(object: JsonObject, places: Places): Node[] {
  return Object.entries(object).flatMap(([name, value]) =>
    nodesOf(name.toLowerCase(), value, places),
  );
}

function nodesOf(name: string, value: unknown, places: Places): Node[] {
  if (Array.isArray(value)) return value.flatMap((entry) => nodesOf(name, entry, places));
  if (typeof value !== 'object' || value === null) {
    const text = String(value ?? '');
    return [{...leaf(name, text), offset: places.get(keyOf(name, text))}];
  }
  return [{name, text: '', children: membersOf(value as JsonObject, places)}];
}

function isNamed({name}: Node, wanted: Name): boolean {
  return (NAMES[wanted] as readonly string[]).includes(name);
}

/** The children of a node under a name. */
export function childrenOf(node: Node, name: Name): readonly Node[] {
  return node.children.filter((child) => isNamed(child, name));
}

/** The child of that name. Throws 2100 if there are several. */
export function childOf(node: Node | undefined, name: Name): Node | undefined {
  if (!node) return undefined;
  const [first, second] = childrenOf(node, name);
  if (second) throw new PaylensError(2100, `${NAMES[name][0]}: found twice, expected once`);
  return first;
}

/** Every node of a name below `node`, itself included; not below one that `skip` names. */
export function allOf(node: Node, name: Name, skip: readonly Name[] = []): Node[] {
  if (isNamed(node, name)) return [node];
  if (skip.some((other) => isNamed(node, other))) return [];
  return node.children.flatMap((child) => allOf(child, name, skip));
}

/** The only text under a name below `node`; undefined: there is none. Throws 2100 if two differ. */
export function onlyText(
  node: Node,
  name: Name,
  error: (why: string) => PaylensError = (why) => new PaylensError(2100, why),
): string | undefined {
  const texts = new Set(allOf(node, name).map(({text}) => text));
  texts.delete('');
  if (texts.size > 1) throw error(`${NAMES[name][0]}: found with two values`);
  return [...texts][0];
}
