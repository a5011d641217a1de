import abecsTracks from '../../../samples/abecs-tracks.json' with {type: 'json'};
import bbposTrack from '../../../samples/bbpos-track.json' with {type: 'json'};
import dspreadSwipe from '../../../samples/dspread-swipe.json' with {type: 'json'};
import genericTracks from '../../../samples/generic-tracks.json' with {type: 'json'};
import idtechKeyed from '../../../samples/idtech-keyed.json' with {type: 'json'};
import idtechPin from '../../../samples/idtech-pin.json' with {type: 'json'};
import idtechPrivateKey from '../../../samples/idtech-private-key.json' with {type: 'json'};
import idtechSwipe from '../../../samples/idtech-swipe.json' with {type: 'json'};
import ifsfTrack from '../../../samples/ifsf-track.json' with {type: 'json'};
import magtekSwipe from '../../../samples/magtek-swipe.json' with {type: 'json'};
import newlandTrack from '../../../samples/newland-track.json' with {type: 'json'};
import nexoRequest from '../../../samples/nexo-request.json' with {type: 'json'};
import poyntPayment from '../../../samples/poynt-payment.json' with {type: 'json'};
import spireRequest from '../../../samples/spire-request.json' with {type: 'json'};
import {SAMPLES, type SampleName} from '../../simulator/samples.js';

/** The requests of the package: one for each of its samples, or this does not compile. */
const REQUESTS: Readonly<Record<SampleName, {readonly devicePayload: string}>> = {
  'abecs-tracks': abecsTracks,
  'bbpos-track': bbposTrack,
  'dspread-swipe': dspreadSwipe,
  'generic-tracks': genericTracks,
  'idtech-keyed': idtechKeyed,
  'idtech-pin': idtechPin,
  'idtech-private-key': idtechPrivateKey,
  'idtech-swipe': idtechSwipe,
  'ifsf-track': ifsfTrack,
  'magtek-swipe': magtekSwipe,
  'newland-track': newlandTrack,
  'nexo-request': nexoRequest,
  'poynt-payment': poyntPayment,
  'spire-request': spireRequest,
};

/** The samples of the package with their requests in JSON. */
export const SAMPLE_REQUESTS = SAMPLES.map((sample) => ({
  ...sample,
  text: JSON.stringify(REQUESTS[sample.name]),
  payload: REQUESTS[sample.name].devicePayload,
}));
