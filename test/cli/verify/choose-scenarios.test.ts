import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, it, test} from 'vitest';
import {chooseScenarios} from '../../../src/cli/verify/choose-scenarios.js';
import {SCENARIOS} from '../../../src/conformance/scenarios/index.js';

const idsOf = (choice: object, level: 'interface' | 'paylens' = 'interface') =>
  chooseScenarios(SCENARIOS, {level, ...choice}).map(({id}) => id);
const ALL = SCENARIOS.map(({id}) => id);
const INTERFACE = SCENARIOS.filter(({level}) => level === 'interface').map(({id}) => id);

describe('scenarios', () => {
  it('are those of the level, unless flags choose others', () => {
    expect(idsOf({})).toEqual(INTERFACE);
    expect(idsOf({}, 'paylens')).toEqual(ALL);
  });

  it('are chosen by the first words of their ids', () => {
    expect(idsOf({only: ['partner']})).toEqual(INTERFACE.filter((id) => id.startsWith('partner-')));
    expect(idsOf({only: ['hmac-body']})).toEqual(['hmac-body-changed']);
    expect(idsOf({only: ['hmac']})).toEqual(INTERFACE.filter((id) => id.startsWith('hmac-')));
    expect(() => idsOf({only: ['hma']})).toThrow(/--only: no such scenario/);
  });

  it('are chosen by what they need', () => {
    const rsa = ALL.filter((id) => id.startsWith('auth-rsa'));
    expect(idsOf({only: ['rsa']}, 'paylens')).toEqual(rsa);
    expect(idsOf({skip: ['rsa']}, 'paylens')).toEqual(ALL.filter((id) => !rsa.includes(id)));
    expect(idsOf({only: ['miura']})).toEqual(['read-miura']);
    expect(idsOf({only: ['payload:miura']})).toEqual(['read-miura']);
  });

  it('may be chosen and skipped together', () => {
    const ids = idsOf({only: ['read', 'status-200'], skip: ['miura', 'read-idtech']});
    expect(ids).toContain('status-200');
    expect(ids).toContain('read-generic');
    expect(ids).not.toContain('read-miura');
    expect(ids).not.toContain('read-idtech');
  });

  it.each([
    [{only: ['rsa']}, 'Add --level paylens.'],
    [{only: ['read'], skip: ['read']}, 'Skip fewer scenarios.'],
    [{skip: ['hmca']}, 'Did you mean: hmac'],
    [{only: ['hmac-vaild']}, 'Did you mean: hmac-valid'],
    [{only: ['nothing-like-it-at-all']}, 'Run `paylens verify --list --level paylens`'],
  ])('that are none are refused: %j', (choice, hint) => {
    const failure = expect.objectContaining({code: 9001, hint: expect.stringContaining(hint)});
    expect(() => idsOf(choice)).toThrow(failure);
  });
});

test.each([...new Set(SCENARIOS.map(({clause}) => clause))])(
  'the clause %s is a heading of a page',
  (clause) => {
    const [page = '', anchor] = clause.split('#');
    expect(page).toMatch(/^docs\/[\w/-]+\.md$/);
    expect(existsSync(page)).toBe(true);
    const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)];
    // As GitHub makes anchors: lower case, without punctuation, hyphens for spaces.
    const anchors = headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, '')
        .replace(/ /g, '-'),
    );
    expect(anchors).toContain(anchor);
  },
);
