// @ts-expect-error it has no types
import {Parser} from 'saxen';
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
export function readXmlTree(given: string, note: Note = () => {}): Node {
  const text = given.replace(DECLARATION, ({length}) => ' '.repeat(length));
  const tree = new XmlTree(text, note);
  new Parser()
    .on('error', () => tree.stop())
    .on('warn', () => tree.stop())
    .on('attention', (markup: string) => tree.pass(markup, 'document type'))
    .on('question', (markup: string) => tree.pass(markup, 'processing instruction'))
    .on('comment', (comment: string) => tree.pass(`<!--${comment}-->`))
    .on('openTag', () => tree.open())
    .on('text', (piece: string) => tree.add(piece))
    .on('cdata', (piece: string) => tree.add(`<![CDATA[${piece}]]>`, piece))
    .on('closeTag', (_tag: string, _decode: unknown, isEmpty: boolean) => tree.close(isEmpty))
    .parse(text);
  return tree.root ?? tree.stop();
}

// What the parser does not check.
const DECLARATION =
  /^<\?xml\s+version\s*=\s*(["'])1\.\d\1(?:\s+encoding\s*=\s*(["'])[\w.-]+\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>/;
const START_TAG = /<([^\s/>]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/y;
const ATTRIBUTE = /\s+([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy;
const REFERENCE = /&(?:#(\d+)|#(x[\da-f]+)|(amp|apos|gt|lt|quot));|&|\]\]>/gi;
const ENTITIES: Readonly<Record<string, number>> = {amp: 38, apos: 39, gt: 62, lt: 60, quot: 34};
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** The elements of a document, while it is parsed. */
class XmlTree {
  root: Node | undefined;
  readonly #stack: OpenElement[] = [];
  readonly #text: string;
  readonly #note: Note;
  /** The end of what was read. */
  #at = 0;

  constructor(text: string, note: Note) {
    this.#text = text;
    this.#note = note;
  }

  #fail(why: string): never {
    const isCut = this.#at === this.#text.length && this.#stack.length > 0;
    const detail = `XML at character ${this.#at}: ${why}`;
    throw new PaylensError(2100, detail, isCut ? {fault: {kind: 'cut-text'}} : {});
  }

  stop(): never {
    if (!this.#text.includes('>', this.#at)) this.#at = this.#text.length;
    return this.#fail('not well-formed');
  }

  pass(markup: string, refused?: string): void {
    this.#at = this.#text.indexOf('<', this.#at) + markup.length;
    if (refused === undefined) return;
    if (markup.includes('[')) this.#at = this.#text.indexOf(']>', this.#at) + 2;
    this.#fail(`expected no ${refused}`);
  }

  open(): void {
    const stack = this.#stack;
    const offset = this.#text.indexOf('<', this.#at);
    START_TAG.lastIndex = offset;
    const [, tag = '', list = ''] = (!this.root && START_TAG.exec(this.#text)) || this.stop();
    const children = list === '' ? [] : this.#attributesIn(list, offset);
    this.#at = START_TAG.lastIndex;
    if (stack.length >= MAX_LEVELS) this.#fail(`expected at most ${MAX_LEVELS} levels`);
    const parent = stack.at(-1);
    if (parent && isWithoutElements(parent)) this.#noteElement(parent, parent.tagEnd, 1);
    const tagEnd = this.#at;
    stack.push({tag, offset, tagEnd, attributes: children.length, text: '', children});
  }

  /** The attributes of a tag but the names of namespaces. */
  #attributesIn(list: string, offset: number): Node[] {
    const attributes = [...list.matchAll(ATTRIBUTE)].map(
      ([, key = '', value, other = '']) => [key, this.#resolved(value ?? other)] as const,
    );
    if (NO_CHARACTER.test(list) || new Map(attributes).size < attributes.length) this.stop();
    return attributes
      .filter(([key]) => !key.startsWith('xmlns'))
      .map(([key, value]) => nodeOf(localName(key), value, [], offset));
  }

  add(piece: string, text = this.#resolved(piece)): void {
    const top = this.#stack.at(-1);
    if (!top || NO_CHARACTER.test(text)) this.stop();
    top.text += text;
    this.#at += piece.length;
  }

  #resolved(piece: string): string {
    if (!/[&\]]/.test(piece)) return piece;
    return piece.replaceAll(REFERENCE, (_, decimal?: string, hex?: string, name = '') => {
      const code = ENTITIES[name] ?? Number(decimal ?? `0${hex}`);
      return code <= 0x10ffff ? String.fromCodePoint(code) : this.stop();
    });
  }

  close(isEmpty: boolean): void {
    const top = this.#stack.pop() as OpenElement;
    const {tag, text, offset, children} = top;
    if (!isEmpty) this.#at = this.#text.indexOf('>', this.#at) + 1;
    if (isWithoutElements(top)) this.#noteElement(top, this.#at, 0);
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

function nodeOf(name: string, text: string, children: readonly Node[], offset?: number): Node {
  return {name, role: NEXO_FORM.roleOf(name), text: text.trim(), children, offset};
}

/** Reads one JSON object; an array is its entries under the same name. Throws 2004. */
export function readJsonTree(text: string): Node {
  return jsonTree(text, parseJsonObject(text));
}

/** A JSON object that was read from a text, as a tree. */
export function jsonTree(text: string, object: JsonObject): Node {
  return nodeOf('', '', memberNodes(object, memberPlaces(text)));
}

/** Where members with values begin, by name and value. */
function memberPlaces(text: string): ReadonlyMap<string, number> {
  const members = [...jsonMembersIn(text)].reverse();
  return new Map(
    members.map(({name, value = '', offset}) => [`${name.toLowerCase()} ${value}`, offset]),
  );
}

function memberNodes(object: JsonObject, places: ReadonlyMap<string, number>): Node[] {
  return Object.entries(object).flatMap(([name, value]) =>
    valueNodes(name.toLowerCase(), value, places),
  );
}

function valueNodes(name: string, value: unknown, places: ReadonlyMap<string, number>): Node[] {
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
