import {useMemo} from 'preact/hooks';
import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import {useExploration} from '../hooks/use-exploration.js';
import type {ExplorationOrder} from '../model/explore.js';
import {Band} from '../parts/band.js';
import {Panes} from '../parts/panes.js';
import {maskedExploration} from './masked-exploration.js';

interface PayloadProps {
  readonly payload: InspectedPayload;
  readonly reveal: boolean;
}

/** The payload as the explorer shows it; in real mode without keys, as the server masks it. */
export function PayloadSection({payload, reveal}: PayloadProps) {
  return (
    <section class="payload">
      <h3>Payload</h3>
      {payload.text === undefined ? (
        <MaskedPayload payload={payload} />
      ) : (
        <OpenPayload {...{payload, reveal}} text={payload.text} />
      )}
    </section>
  );
}

interface OpenPayloadProps {
  readonly payload: InspectedPayload;
  readonly text: string;
  readonly reveal: boolean;
}

function OpenPayload({payload, text, reveal}: OpenPayloadProps) {
  const {deviceType, ksn, iv} = payload;
  const order = useMemo<ExplorationOrder>(
    () => ({
      text,
      terminal: TERMINAL_TYPES.find((type) => type === deviceType),
      ...{ksn, iv},
      keys: {testKeys: true, typed: ''},
    }),
    [text, deviceType, ksn, iv],
  );
  const exploration = useExploration(order).answer?.exploration;
  if (!exploration) return null;
  return (
    <>
      {exploration.opened && (
        <Band
          {...{exploration, reveal}}
          error={undefined}
          notice={undefined}
          diagnosis={{kind: 'idle'}}
          onApply={() => {}}
        />
      )}
      <Panes {...{exploration, reveal}} />
    </>
  );
}

function MaskedPayload({payload}: {readonly payload: InspectedPayload}) {
  const exploration = useMemo(() => maskedExploration(payload), [payload]);
  return (
    <>
      <p class="quiet">Real mode shows no card numbers, and decrypts nothing here.</p>
      <Panes {...{exploration}} reveal={false} />
    </>
  );
}
