import {useMemo} from 'preact/hooks';
import type {InspectedPayload, WireMessage} from '../../contract/control/inspected-request.js';
import {maskPan} from '../../engine/card/mask.js';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import type {EncryptedPart, Inspection} from '../../engine/inspection/inspect-payload.js';
import {UNREAD} from '../../engine/inspection/name-unread.js';
import {unlessThrown} from '../../platform/unless-thrown.js';
import {useExploration} from '../hooks/use-exploration.js';
import {
  type Exploration,
  type ExplorationOrder,
  fieldByCell,
  kindByCell,
} from '../model/explore.js';
import {listed} from '../model/field.js';
import {fieldsOf} from '../model/fields.js';
import {fragmentOf, isPublished, linkedOf} from '../model/link.js';
import {sentence} from '../model/shown.js';
import {Band} from '../parts/band.js';
import {Panes} from '../parts/panes.js';

interface PayloadProps {
  readonly payload: InspectedPayload;
  readonly reveal: boolean;
  readonly response: WireMessage | undefined;
}

/** The payload as the explorer shows it; in real mode without keys, as the server masks it. */
export function PayloadSection({payload, reveal, response}: PayloadProps) {
  return (
    <section class="payload">
      <h3>Payload</h3>
      {payload.text === undefined ? (
        <MaskedPayload payload={payload} />
      ) : (
        <OpenPayload {...{payload, reveal, response}} text={payload.text} />
      )}
    </section>
  );
}

function OpenPayload({payload, text, reveal, response}: PayloadProps & {readonly text: string}) {
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
  const answered = unlessThrown<string>(() => JSON.parse(response?.body ?? '').extracted?.PAN);
  const own = exploration.opened && maskPan(exploration.opened.result.extracted.PAN);
  return (
    <>
      <p class="quiet">
        {isPublished(exploration) ? (
          <a href={`/explore${fragmentOf(linkedOf(exploration))}`}>Open in explorer</a>
        ) : (
          'Open in explorer: a link can hold published test cards only.'
        )}
      </p>
      {answered !== undefined && own !== undefined && answered !== own && (
        <p>
          This card was read; the response has another one: <code>{answered}</code>.
        </p>
      )}
      <Ending {...{exploration, payload}} />
      {exploration.opened && <Band {...{exploration, reveal}} />}
      <Panes {...{exploration, reveal}} />
    </>
  );
}

interface EndingProps {
  readonly exploration: Exploration;
  readonly payload: InspectedPayload;
}

/** Where parsing ended, and why. */
function Ending({exploration: {stop}, payload: {failure, unit}}: EndingProps) {
  if (!failure) return null;
  const where = stop === undefined ? '' : `Parsing ended at ${unit} ${stop}. `;
  return <p class="bad">{`✗ ${where}${sentence(failure.message)}`}</p>;
}

function MaskedPayload({payload}: {readonly payload: InspectedPayload}) {
  const exploration = useMemo(() => maskedExploration(payload), [payload]);
  return (
    <>
      <p class="quiet">Real mode shows no card numbers, and decrypts nothing here.</p>
      <Ending {...{exploration, payload}} />
      <Panes {...{exploration}} reveal={false} />
    </>
  );
}

/** A payload of a real service as the explorer shows one: what the service hid was never here. */
function maskedExploration(payload: InspectedPayload): Exploration {
  const {deviceType, form, unit, parts, checks, failure} = payload;
  const inspection: Inspection = {
    ...{deviceType, unit, parts, checks},
    ...(form !== undefined && {form}),
    encrypted: payload.encrypted as readonly EncryptedPart[],
  };
  const given = payload.cells ?? [];
  const cells = Uint16Array.from(given, (code) => code ?? 0);
  const fields = listed(
    fieldsOf(
      parts.map((part) => ({masked: part, clear: part})),
      inspection,
    ),
  );
  const last = parts.at(-1);
  return {
    input: {payload: ''},
    inspection,
    cells,
    macs: [],
    hidden: Uint8Array.from(given, (code) => (code === null ? 1 : 0)),
    fields,
    fieldOf: fieldByCell(fields, cells.length),
    kinds: kindByCell(fields, cells.length, unit),
    ...(failure && last?.name === UNREAD && {stop: last.offset}),
  };
}
