import {PaylensError} from '../../contract/paylens-error.js';
import type {Extracted} from '../../contract/process-payload.js';
import type {CardContent} from './card-content.js';
import {isPan, trackDataOf} from './track-data.js';
import {parseTrack2Equivalent} from './track2-equivalent.js';

/** Card data from one source. Expiry is YYMM. */
interface Source {
  readonly pan: string;
  readonly expiry?: string | undefined;
  readonly serviceCode?: string | undefined;
  readonly discretionary?: string | undefined;
}

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
  const expiry = bestExpiry(best, sources, content);
  if (expiry === undefined) {
    throw new PaylensError(
      2100,
      'no expiry date beside the PAN: expected tag 5F24 or an expiry member',
    );
  }
  const extracted: WritableExtracted = {PAN: best.pan, EXPY: expiry.slice(2) + expiry.slice(0, 2)};
  put(extracted, 'CVV', content.cvv ?? content.keyed?.cvv);
  put(extracted, 'street', content.street);
  put(extracted, 'ZIP', content.zip);
  putName(extracted, content);
  put(extracted, 'ServiceCode', best.serviceCode);
  put(extracted, 'Discretionary', best.discretionary);
  return extracted;
}

type WritableExtracted = {-readonly [M in keyof Extracted]: Extracted[M]};

/** Every card number in the content with its position, best source first. */
export function sourcesOf(content: CardContent): Source[] {
  const {track1, track2, track2equivalent, keyed} = content;
  const {expiry, serviceCode, discretionary} = content;
  const found: (Source | undefined)[] = [
    track2 && trackDataOf(2, track2),
    track2equivalent && parseTrack2Equivalent(track2equivalent.text),
    track1 && trackDataOf(1, track1),
    content.pan === undefined ? undefined : {pan: content.pan, expiry, serviceCode, discretionary},
    keyed && {pan: keyed.pan, expiry},
  ];
  return found.filter((source) => source !== undefined && isPan(source.pan)) as Source[];
}

/**
 * The expiry of the best source, of another source with the same PAN, or of a field beside them.
 */
function bestExpiry(best: Source, sources: readonly Source[], content: CardContent) {
  const same = sources.find((source) => source.pan === best.pan && source.expiry !== undefined);
  return best.expiry ?? same?.expiry ?? content.expiry;
}

/** Puts `SURNAME/FIRST`: trimmed, in the card's own case, without title and suffix after `.`. */
function putName(extracted: WritableExtracted, content: CardContent): void {
  const onTrack = content.track1 && trackDataOf(1, content.track1)?.name;
  const name = onTrack ?? content.name ?? '';
  const slash = name.indexOf('/');
  const surname = (slash < 0 ? name : name.slice(0, slash)).trim();
  const dot = name.indexOf('.', slash + 1);
  const first = slash < 0 ? '' : name.slice(slash + 1, dot < 0 ? name.length : dot).trim();
  put(extracted, 'FirstName', first);
  put(extracted, 'Surname', surname);
}

/** Adds a member; one without a value stays absent. */
function put(to: WritableExtracted, member: keyof Extracted, value: string | undefined): void {
  if (value !== undefined && value !== '') to[member] = value;
}
