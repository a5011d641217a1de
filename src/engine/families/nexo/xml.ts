import {PaylensError} from '../../../contract/paylens-error.js';
import {entryOf} from '../../forms/entry-of.js';

/** More than any message has: Document to Algo are 16. */
const MAX_LEVELS = 48;

/** Called with what a document consists of, in order; `end` of a tag is behind its `>`. */
export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>, offset: number, end: number): void;
  /** A piece of the text of the last element that is open. */
  addText(piece: string): void;
  close(end: number): void;
}

/** The names, characters and declaration of XML 1.0, fifth edition. */
const NAME =
  /[:A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}][-.\d:A-Z_a-z\u{B7}\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{203F}\u{2040}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}]*/uy;
const NO_CHARACTER = /[^\t\n\r -\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const DECLARATION =
  /<\?xml[\t\n\r ]+version[\t\n\r ]*=[\t\n\r ]*(?:"1\.\d+"|'1\.\d+')(?:[\t\n\r ]+encoding[\t\n\r ]*=[\t\n\r ]*(?:"[a-z][\w.-]*"|'[a-z][\w.-]*'))?(?:[\t\n\r ]+standalone[\t\n\r ]*=[\t\n\r ]*(?:"(?:yes|no)"|'(?:yes|no)'))?[\t\n\r ]*\?>/iy;
const DOCTYPE = /<!DOCTYPE(?:"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^"'\]])*\]|[^"'>[])*>/y;
const INSTRUCTION = /<\?(?!xml[\t\n\r ?])[^\s?].*?\?>/isy;
const COMMENT = /<!--(?:[^-]|-[^-])*-->/y;
const CDATA = /<!\[CDATA\[(.*?)\]\]>/sy;
const VALUE = /[\t\n\r ]*=[\t\n\r ]*(?:"([^"<]*)"|'([^'<]*)')/y;
const SPACE = /[\t\n\r ]+/y;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/**
 * Reads one XML document, without a document type and with no entities but the five of XML. Throws
 * 2100 if it is not well-formed, naming the place.
 */
export function readXml(text: string, handler: XmlHandler): void {
  new XmlDocument(text, handler).read();
}

class XmlDocument {
  readonly #text: string;
  readonly #handler: XmlHandler;
  readonly #open: string[] = [];
  #at = 0;
  #hasRoot = false;

  constructor(text: string, handler: XmlHandler) {
    this.#text = text;
    this.#handler = handler;
  }

  read(): void {
    this.#take(/\uFEFF/y);
    this.#take(DECLARATION);
    while (this.#at < this.#text.length) {
      if (this.#text[this.#at] === '<') this.#markup();
      else this.#characters(this.#expect(/[^<]+/y)[0]);
    }
    if (!this.#hasRoot || this.#open.length > 0) this.#fail();
  }

  #markup(): void {
    const isInside = this.#open.length > 0;
    const comment = this.#take(COMMENT)?.[0];
    const data = isInside ? this.#take(CDATA)?.[1] : undefined;
    if (!this.#hasRoot && this.#take(DOCTYPE)) this.#fail('expected no document type', 0);
    if (this.#take(INSTRUCTION)) this.#fail('expected no processing instruction', 0);
    if (comment !== undefined) this.#checked(comment);
    else if (data !== undefined) this.#handler.addText(this.#lines(data));
    else if (this.#take(/<\//y)) this.#endTag();
    else if (this.#hasRoot && !isInside) this.#fail();
    else this.#startTag();
  }

  #startTag(): void {
    const offset = this.#at;
    if (this.#open.length >= MAX_LEVELS) this.#fail(`expected at most ${MAX_LEVELS} levels`);
    this.#expect(/</y);
    const [name] = this.#expect(NAME);
    const attributes = new Map<string, string>();
    let mayFollow = this.#take(SPACE);
    while (mayFollow && !/[/>]/.test(this.#text.charAt(this.#at))) {
      const [key] = this.#expect(NAME);
      const [, double, single = ''] = this.#expect(VALUE);
      if (attributes.has(key)) this.#fail();
      attributes.set(key, this.#resolved((double ?? single).replaceAll(/\r\n|[\t\n\r]/g, ' ')));
      mayFollow = this.#take(SPACE);
    }
    const [end] = this.#expect(/\/?>/y);
    this.#hasRoot = true;
    this.#handler.open(name, attributes, offset, this.#at);
    this.#open.push(name);
    if (end === '/>') this.#close();
  }

  #endTag(): void {
    if (this.#expect(NAME)[0] !== this.#open.at(-1)) this.#fail();
    this.#expect(/[\t\n\r ]*>/y);
    this.#close();
  }

  #close(): void {
    this.#open.pop();
    this.#handler.close(this.#at);
  }

  #characters(text: string): void {
    if (text.includes(']]>')) this.#fail();
    const piece = this.#resolved(this.#lines(text));
    if (this.#open.length > 0) this.#handler.addText(piece);
    else if (/[^\t\n\r ]/.test(text)) this.#fail();
  }

  /** A line ends with LF alone. */
  #lines(text: string): string {
    this.#checked(text);
    return text.replaceAll(/\r\n?/g, '\n');
  }

  #resolved(text: string): string {
    this.#checked(text);
    return text.replaceAll(/&([^;]*)(;?)/g, (_, name: string, end: string) => {
      const [, hex, decimal] = /^#(?:x([\dA-F]+)|(\d+))$/i.exec(name) ?? [];
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const meant = code <= 0x10ffff ? String.fromCodePoint(code) : entryOf(ENTITIES, name);
      if (end === '' || meant === undefined) this.#fail();
      this.#checked(meant);
      return meant;
    });
  }

  #checked(text: string): void {
    if (NO_CHARACTER.test(text)) this.#fail();
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text);
    if (found) this.#at = form.lastIndex;
    return found ?? undefined;
  }

  #expect(form: RegExp): RegExpExecArray {
    return this.#take(form) ?? this.#fail();
  }

  /** Names the first character that is not read, or the last one. */
  #fail(why = 'not well-formed', ahead = 1): never {
    const place = Math.min(this.#at + ahead, this.#text.length);
    throw new PaylensError(2100, `XML at character ${place}: ${why}`);
  }
}
