import {PaylensError} from '../../contract/paylens-error.js';
import type {TrackNumber} from '../card/lrc.js';
import type {CardImage} from '../writing.js';

/** A track of the card that a payload contains, in canonical text. */
export interface ChosenTrack {
  readonly number: TrackNumber;
  readonly text: string;
}

/**
 * The tracks of a card that an option names: `all`, or their numbers. Throws 9001 if the card has
 * none of them.
 */
export function chosenTracks(
  {track1, track2, track3}: Pick<CardImage, 'track1' | 'track2' | 'track3'>,
  wanted: string,
): ChosenTrack[] {
  const chosen = [track1, track2, track3].flatMap((text, i) => {
    const number = (i + 1) as TrackNumber;
    const isWanted = wanted === 'all' || wanted.includes(String(number));
    return text !== undefined && isWanted ? [{number, text}] : [];
  });
  if (chosen.length > 0) return chosen;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}
