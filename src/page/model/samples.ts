import genericTracks from '../../../samples/generic-tracks.json' with {type: 'json'};
import idtechKeyed from '../../../samples/idtech-keyed.json' with {type: 'json'};
import idtechPrivateKey from '../../../samples/idtech-private-key.json' with {type: 'json'};
import idtechSwipe from '../../../samples/idtech-swipe.json' with {type: 'json'};

/** The samples of the package, as `paylens sample` has them. */
export const SAMPLES: readonly {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}[] = [
  {name: 'idtech-swipe', about: 'three encrypted tracks', text: JSON.stringify(idtechSwipe)},
  {
    name: 'idtech-keyed',
    about: 'keyed entry with CVV, street and ZIP',
    text: JSON.stringify(idtechKeyed),
  },
  {
    name: 'generic-tracks',
    about: 'tracks 1 and 2 with their KSN as JSON',
    text: JSON.stringify(genericTracks),
  },
  {
    name: 'idtech-private-key',
    about: 'a swipe under an unpublished key: error 2601',
    text: JSON.stringify(idtechPrivateKey),
  },
];
