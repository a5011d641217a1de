import genericTracks from '../../../samples/generic-tracks.json' with {type: 'json'};
import idtechKeyed from '../../../samples/idtech-keyed.json' with {type: 'json'};
import idtechPin from '../../../samples/idtech-pin.json' with {type: 'json'};
import idtechPrivateKey from '../../../samples/idtech-private-key.json' with {type: 'json'};
import idtechSwipe from '../../../samples/idtech-swipe.json' with {type: 'json'};
import {SAMPLES, type SampleName} from '../../simulator/samples.js';

/** The requests of the package: one for each of its samples, or this does not compile. */
const REQUESTS: Readonly<Record<SampleName, object>> = {
  'generic-tracks': genericTracks,
  'idtech-keyed': idtechKeyed,
  'idtech-pin': idtechPin,
  'idtech-private-key': idtechPrivateKey,
  'idtech-swipe': idtechSwipe,
};

/** The samples of the package with their requests in JSON. */
export const SAMPLE_REQUESTS = SAMPLES.map((sample) => ({
  ...sample,
  text: JSON.stringify(REQUESTS[sample.name]),
}));
