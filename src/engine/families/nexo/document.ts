import {SaxesParser} from 'saxes';
import {type JsonObject, parseJsonObject} from '../../../contract/parse-json.js';
import {PaylensError} from '../../../contract/paylens-error.js';
import {jsonMembersIn} from '../../forms/json-payload.js';
import {type Name, NEXO_FORM, NEXO_MEMBERS} from './layout.js';

/** An element of XML, an attribute of it, or a member of JSON. */
export interface Node {
  /** In lower case, without the prefix of a namespace. */
  readonly name: string;
  /** Undefined if no form has a member of this name. */
  readonly role: Name | undefined;
  /** Of a node without children; trimmed. */
  readonly text: string;
  readonly children: readonly Node[];
  /** In the text, of an element or of a member with a value. */
  readonly offset?: number | undefined;
}

/** Called with each element while XML is read: its name, place and text; containers at their tag. */
export type Note = (part: {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly depth: number;
  readonly text: string;
}) => void;

/** More than any message has: Document to Algo are 16. */
const MAX_LEVELS = 48;

/** An element that is not closed yet. */
interface OpenElement {
  readonly tag: string;
  readonly offset: number;
  readonly tagEnd: number;
  /** How many of its children are attributes: they come first. */
  readonly attributes: number;
  text: string;
  readonly children: Node[];
}

/**
 * Reads one XML document, without a document type and with no entities but the five of XML. Throws
 * 2100 if it is not well-formed, naming the place.
 */
export function readXmlTree(text: string, note: Note = () => {}): Node {
  const parser = new SaxesParser({position: true});
  const tree = new XmlTree(text, parser, note);
  parser.on('error', () => tree.fail('not well-formed'));
  parser.on('doctype', () => tree.fail('expected no document type'));
  parser.on('processinginstruction', () => tree.fail('expected no processing instruction'));
  parser.on('opentag', ({name, attributes}) =>
    tree.open(name, attributes as Readonly<Record<string, string>>),
  );
  parser.on('text', (piece) => tree.addText(piece));
  parser.on('cdata', (piece) => tree.addText(piece));
  parser.on('closetag', () => tree.close());
  parser.write(text).close();
  return tree.root ?? tree.fail('expected an element');
}

/** The elements of a document, while it is parsed. */
class XmlTree {
  root: Node | undefined;
  readonly #stack: OpenElement[] = [];
  readonly #text: string;
  readonly #parser: {readonly position: number};
  readonly #note: Note;

  constructor(text: string, parser: {readonly position: number}, note: Note) {
    this.#text = text;
    this.#parser = parser;
    this.#note = note;
  }

  fail(why: string): never {
    throw new PaylensError(2100, `XML at character ${this.#parser.position}: ${why}`);
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const stack = this.#stack;
    if (stack.length >= MAX_LEVELS) this.fail(`expected at most ${MAX_LEVELS} levels`);
    const tagEnd = this.#parser.position;
    const offset = this.#text.lastIndexOf('<', tagEnd - 1);
    const own = Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns'));
    const children = own.map(([key, value]) => nodeOf(localName(key), value, [], offset));
    const parent = stack.at(-1);
    if (parent && isWithoutElements(parent)) this.#noteElement(parent, parent.tagEnd, 1);
    stack.push({tag, offset, tagEnd, attributes: children.length, text: '', children});
  }

  addText(piece: string): void {
    const top = this.#stack.at(-1);
    if (top) top.text += piece;
  }

  close(): void {
    const top = this.#stack.pop() as OpenElement;
    const {tag, text, offset, children} = top;
    if (isWithoutElements(top)) this.#noteElement(top, this.#parser.position, 0);
    const node = nodeOf(localName(tag), text, children, offset);
    const parent = this.#stack.at(-1);
    if (parent) parent.children.push(node);
    else this.root = node;
  }

  /** Records an element up to `end`, which is that of its tag if it has others in it. */
  #noteElement({tag, offset, text, children}: OpenElement, end: number, below: number): void {
    const attributes = children.map(({name, text: value}) => `${name}=${value}`);
    const shown = [text.trim(), ...attributes].filter(Boolean).join(' ');
    const depth = this.#stack.length - below;
    this.#note({name: tag, offset, length: end - offset, depth, text: shown});
  }
}

function isWithoutElements({children, attributes}: OpenElement): boolean {
  return children.length === attributes;
}

/** In lower case, without the prefix of a namespace. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function nodeOf(name: string, text: string, children: readonly Node[] = [], offset?: number): Node {
  return {name, role: NEXO_FORM.roleOf(name), text: text.trim(), children, offset};
}

/** Reads one JSON object; an array is its entries under the same name. Throws 2100. */
export function readJsonTree(text: string): Node {
  try {
    const children = memberNodes(parseJsonObject(text), memberPlaces(text));
    return nodeOf('', '', children);
  } catch (error) {
    const why = error instanceof PaylensError ? error.detail : 'no JSON';
    throw new PaylensError(2100, `JSON: ${why}`);
  }
}

/** Where members with values begin, by name and value. */
type Places = ReadonlyMap<string, number>;

function memberPlaces(text: string): Places {
  const members = [...jsonMembersIn(text)].reverse();
  return new Map(
    members.map(({name, value = '', offset}) => [`${name.toLowerCase()} ${value}`, offset]),
  );
}

function memberNodes(object: JsonObject, places: Places): Node[] {
  return Object.entries(object).flatMap(([name, value]) =>
    valueNodes(name.toLowerCase(), value, places),
  );
}

function valueNodes(name: string, value: unknown, places: Places): Node[] {
  if (Array.isArray(value)) return value.flatMap((entry) => valueNodes(name, entry, places));
  if (typeof value === 'object' && value !== null)
    return [nodeOf(name, '', memberNodes(value as JsonObject, places))];
  const text = String(value ?? '');
  return [nodeOf(name, text, [], places.get(`${name} ${text}`))];
}

/** The children of a node under a name. */
export function childrenOf(node: Node, name: Name): readonly Node[] {
  return node.children.filter((child) => child.role === name);
}

/** The child of that name. Throws 2100 if there are several. */
export function childOf(node: Node | undefined, name: Name): Node | undefined {
  if (!node) return undefined;
  const [first, second] = childrenOf(node, name);
  if (second)
    throw new PaylensError(2100, `${NEXO_MEMBERS[name].names[0]}: found twice, expected once`);
  return first;
}

/** Every node of a name below `node`, itself included; not below one that `skip` names. */
export function allOf(node: Node, name: Name, skip: readonly Name[] = []): Node[] {
  if (node.role === name) return [node];
  if (node.role && skip.includes(node.role)) return [];
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
  if (texts.size > 1) throw error(`${NEXO_MEMBERS[name].names[0]}: found with two values`);
  return [...texts][0];
}
