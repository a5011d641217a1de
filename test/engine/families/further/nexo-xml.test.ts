import fc from 'fast-check';
import {SaxesParser} from 'saxes';
import {describe, expect, it} from 'vitest';
import {readXml} from '../../../../src/engine/families/nexo/xml.js';
import {draws, seedOf} from '../../../long.js';

/** What a document consists of, with its places; undefined: it is refused. */
type Events = readonly string[] | undefined;

/** Pieces of text that follow each other are one. */
function recorder() {
  const events: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') events.push(`text ${JSON.stringify(text)}`);
    text = '';
  };
  return {
    events,
    open: (name: string, attributes: Iterable<readonly [string, string]>, end: number) => {
      flush();
      events.push(`open ${name} ${JSON.stringify([...attributes])} ${end}`);
    },
    addText: (piece: string) => {
      text += piece;
    },
    close: (end: number) => {
      flush();
      events.push(`close ${end}`);
    },
  };
}

function read(text: string): Events {
  const {events, open, addText, close} = recorder();
  try {
    readXml(text, {
      addText,
      close,
      open: (name, attributes, offset, end) => {
        expect(text[offset]).toBe('<');
        open(name, attributes, end);
      },
    });
    return events;
  } catch {
    return undefined;
  }
}

/** By a parser of others, with the same refusals. */
function readBySaxes(text: string): Events {
  const {events, open, addText, close} = recorder();
  const parser = new SaxesParser({position: true});
  const refuse = () => {
    throw new Error('refused');
  };
  let depth = 0;
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('processinginstruction', refuse);
  parser.on('text', (piece) => depth > 0 && addText(piece));
  parser.on('cdata', addText);
  parser.on('opentag', ({name, attributes}) => {
    depth += 1;
    open(name, Object.entries(attributes as Record<string, string>), parser.position);
  });
  parser.on('closetag', () => {
    depth -= 1;
    close(parser.position);
  });
  try {
    parser.write(text).close();
    return events;
  } catch {
    return undefined;
  }
}

const DOCUMENTS = [
  '<a/>',
  '\uFEFF<?xml version="1.0" encoding=\'UTF-8\' standalone = "yes" ?>\r\n<!-- b - c --><a:b/> <!--d-->',
  '<a xmlns="urn:x" b = \'c"\r\nd\'\te="&lt;&#65;&#x42;&amp;"><c>d&gt;e\r\nf</c>g<h></h ></a>\n',
  '<a><![CDATA[<b>&]] ]]]]><![CDATA[>]]>x</a>',
  '<é.1·-ö>\u{1F600}</é.1·-ö>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  "<!DOCTYPE a SYSTEM 'x'><a/>",
  '<?a b?><a/>',
  '<a b="1" b="2"/>',
  '<a>&constructor;</a>',
  '<a>&#0;&#55296;&#1114112;</a>',
  '<a>]]></a>',
  '<a><b></a></b>',
  '<a/><b/>',
  '<a b=c/>',
  '<a b="1"c="2"/>',
  '<a b="<"/>',
  '',
];

/** What a mutation puts in. */
const PIECES = [
  ...[
    '<',
    '>',
    '/',
    '&',
    ';',
    '"',
    "'",
    '=',
    '!',
    '?',
    '-',
    '--',
    ']',
    ']]>',
    '[',
    '#',
    ' ',
    '\r',
    '\n',
  ],
  ...[
    '<a>',
    '</a>',
    '<!--',
    '-->',
    '<![CDATA[',
    '&lt;',
    '&#x',
    '<?xml',
    '?>',
    'a',
    'é',
    '\u00A0',
    '\0',
    '\uFFFE',
  ],
];

describe('A document of XML', () => {
  it.each(DOCUMENTS)('is read as by another parser: %j', (text) => {
    expect(read(text)).toEqual(readBySaxes(text));
  });

  it('is read as by another parser when it is damaged', () => {
    const place = fc.nat({max: 200});
    const damage = fc.array(fc.tuple(place, fc.nat({max: 3}), fc.constantFrom('', ...PIECES)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.constantFrom(...DOCUMENTS), damage, (text, damages) => {
        // The other parser takes half a surrogate pair and what follows for one.
        const characters = [...text];
        for (const [at, length, piece] of damages)
          characters.splice(at % (characters.length + 1), length, piece);
        const damaged = characters.join('');
        expect(read(damaged)).toEqual(readBySaxes(damaged));
      }),
      {numRuns: draws(100_000), seed: seedOf('damaged XML')},
    );
  });
});
