import {PaylensError} from '../../contract/paylens-error.js';
import type {Extracted} from '../../contract/process-payload.js';
import type {CardContent} from './card-content.js';
import {isPan, trackDataOf} from './track-data.js';
import {parseTrack2Equivalent, type Track2EquivalentData} from './track2-equivalent.js';

/**
 * The card data of the response, from the best source: track 2, track 2 equivalent, track 1, tags
 * 5A and 5F24, keyed entry; the name from track 1 or tag 5F20
 * (docs/contract.md#process-payload-response).
 *
 * Throws 2800 if no number of 12 to 19 digits is in the place of a PAN, 2100 if there is no expiry.
 */
export function extract(content: CardContent): Extracted {
  const sources = sourcesOf(content);
  const best = sources[0];
  if (!best) throw new PaylensError(2800);
  const expiry = bestExpiry(sources, content);
  if (expiry === undefined) {
    const detail = 'no expiry date beside the PAN: expected tag 5F24 or an expiry member';
    throw new PaylensError(2100, detail);
  }
  const extracted: WritableExtracted = {PAN: best.pan, EXPY: expiry.slice(2) + expiry.slice(0, 2)};
  // Each by its name, which is faster; one without a value stays absent.
  const cvv = content.cvv ?? content.keyed?.cvv;
  if (cvv) extracted.CVV = cvv;
  if (content.street) extracted.street = content.street;
  if (content.zip) extracted.ZIP = content.zip;
  putName(extracted, content);
  if (best.serviceCode) extracted.ServiceCode = best.serviceCode;
  if (best.discretionary) extracted.Discretionary = best.discretionary;
  return extracted;
}

type WritableExtracted = {-readonly [M in keyof Extracted]: Extracted[M]};

/** Every card number in the content with its position, best source first. */
export function sourcesOf(content: CardContent): Track2EquivalentData[] {
  const {track1, track2, track2equivalent, keyed, pan} = content;
  const {expiry, serviceCode, discretionary} = content;
  const sources: Track2EquivalentData[] = [];
  const add = (source: Track2EquivalentData | undefined) => {
    if (source && isPan(source.pan)) sources.push(source);
  };
  if (track2) add(trackDataOf(2, track2));
  if (track2equivalent) add(parseTrack2Equivalent(track2equivalent.text));
  if (track1) add(trackDataOf(1, track1));
  if (pan !== undefined) add({pan, expiry, serviceCode, discretionary});
  if (keyed) add({pan: keyed.pan, expiry});
  return sources;
}

/**
 * The expiry of the best source, of another source with the same PAN, or of a field beside them.
 */
function bestExpiry(sources: readonly Track2EquivalentData[], content: CardContent) {
  const [best] = sources;
  if (best?.expiry !== undefined) return best.expiry;
  const same = sources.find(({pan, expiry}) => pan === best?.pan && expiry !== undefined);
  return same?.expiry ?? content.expiry;
}

/** Puts `SURNAME/FIRST`: trimmed, in the card's own case, without title and suffix after `.`. */
function putName(extracted: WritableExtracted, content: CardContent): void {
  const onTrack = content.track1 && trackDataOf(1, content.track1)?.name;
  const name = onTrack ?? content.name ?? '';
  const slash = name.indexOf('/');
  const surname = (slash < 0 ? name : name.slice(0, slash)).trim();
  const dot = name.indexOf('.', slash + 1);
  const first = slash < 0 ? '' : name.slice(slash + 1, dot < 0 ? name.length : dot).trim();
  if (first) extracted.FirstName = first;
  if (surname) extracted.Surname = surname;
}
