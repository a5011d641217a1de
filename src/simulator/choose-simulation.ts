import {defined} from '../contract/defined.js';
import {didYouMean} from '../contract/nearest-name.js';
import {PaylensError} from '../contract/paylens-error.js';
import {withCounter} from '../engine/dukpt/ksn.js';
import type {CardDetails} from './compose-card.js';
import {findTestCard, TEST_CARDS} from './test-cards.js';

/** The default KSN: a device under the published test keys. */
const DEFAULT_KSN = 'FFFF9876543210E00001';

interface CardChoice {
  /** Id of a test card. */
  readonly card?: string | undefined;
  readonly pan?: string | undefined;
  readonly expiry?: string | undefined;
  readonly 'service-code'?: string | undefined;
  readonly name?: string | undefined;
  readonly discretionary?: string | undefined;
  readonly cvv?: string | undefined;
}

/**
 * The chosen test card. Members that are given replace those of the card, and its tracks are composed
 * again. Throws 9001 when there is no such test
 * card.
 */
export function chooseCard(choice: CardChoice): CardDetails {
  const card = testCard(choice.card ?? 'visa');
  const {pan, expiry, name, discretionary, cvv, 'service-code': serviceCode} = choice;
  const changes = defined({pan, expiry, name, discretionary, cvv, serviceCode});
  if (Object.keys(changes).length === 0) return card;
  const {track1, track2, track3, ...composed} = card;
  return {...composed, ...changes};
}

function testCard(id: string): CardDetails {
  const card = findTestCard(id);
  if (card) return card;
  const ids = TEST_CARDS.map((each) => each.id);
  throw new PaylensError(9001, 'no such test card', {
    hint: didYouMean(id, ids, '--card ') ?? 'Run `paylens simulate --list-cards` to see them.',
    fault: {kind: 'setting', setting: 'card', is: 'wrong'},
  });
}

/** The KSN of the first payload: as given, or of a usual test device; with another counter. */
export function chooseKsn(ksn: string | undefined, counter: number | undefined): string {
  const base = ksn ?? DEFAULT_KSN;
  return counter === undefined ? base : withCounter(base, counter);
}

/** Options given as `name=value`. Throws 9001 on another form, and when one is given twice. */
export function readOptions(given: readonly string[]): Readonly<Record<string, string>> {
  const options: Record<string, string> = {};
  for (const pair of given) {
    const [, name = '', value = ''] = /^([A-Za-z]\w*)=(.*)$/s.exec(pair) ?? [];
    if (name === '') throw new PaylensError(9001, 'option: expected NAME=VALUE');
    if (name in options) throw new PaylensError(9001, `option ${name} was given twice`);
    options[name] = value;
  }
  return options;
}
