import {describe, expect, it} from 'vitest';
import {parseIdentities} from '../../../src/keyfile/age/parse-identities.js';
import {ALICE, BOB} from '../sample-keyfile.js';

describe('parseIdentities', () => {
  it('takes one a line, between comments and empty lines', () => {
    const text = `# created: 2026-01-02\r\n# public key: ${ALICE.recipient}\r\n${ALICE.identity}\r\n\r\n  ${BOB.identity}  `;
    expect(parseIdentities(text)).toEqual([ALICE.identity, BOB.identity]);
  });

  it.each([
    ['nothing', '', 'the whole file'],
    ['comments alone', '# public key: none\n', 'the whole file'],
    ['a recipient', `\n${ALICE.recipient}`, 'line 2'],
    ['an identity in lower case', ALICE.identity.toLowerCase(), 'line 1'],
    ['an identity that is cut', ALICE.identity.slice(0, -1), 'line 1'],
    ['an identity with more behind it', `${ALICE.identity}A`, 'line 1'],
    ['two identities in a line', `${ALICE.identity} ${BOB.identity}`, 'line 1'],
  ])('refuses %s with 9011, without quoting it', (_, text, where) => {
    const parse = () => parseIdentities(text);
    expect(parse).toThrow(expect.objectContaining({code: 9011}));
    expect(parse).toThrow(where);
    expect(parse).not.toThrow(ALICE.identity.slice(16, 40));
  });
});
