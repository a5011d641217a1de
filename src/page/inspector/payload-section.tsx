import {useMemo, useState} from 'preact/hooks';
import type {InspectedPayload} from '../../contract/control/inspected-request.js';
import {TERMINAL_TYPES, type TerminalType} from '../../engine/devices/registry.js';
import {explore} from '../model/explore.js';
import {type Field, listed, type NewField} from '../model/field.js';
import {plain} from '../model/shown.js';
import {Band} from '../parts/band.js';
import {FieldTree} from '../parts/field-tree.js';
import {Panes} from '../parts/panes.js';

interface PayloadProps {
  readonly payload: InspectedPayload;
  readonly reveal: boolean;
  readonly isReal: boolean;
}

/** The payload as the explorer shows it; in real mode its fields alone, as the server masks them. */
export function PayloadSection({payload, reveal}: PayloadProps) {
  return (
    <section class="payload">
      <h3>Payload</h3>
      {payload.text === undefined ? (
        <MaskedFields payload={payload} />
      ) : (
        <Explored {...{payload, reveal}} text={payload.text} />
      )}
    </section>
  );
}

interface ExploredProps {
  readonly payload: InspectedPayload;
  readonly text: string;
  readonly reveal: boolean;
}

function Explored({payload, text, reveal}: ExploredProps) {
  const {deviceType, ksn, iv} = payload;
  const exploration = useMemo(
    () =>
      explore(text, {
        terminal: TERMINAL_TYPES.find((type) => type === deviceType) as TerminalType | undefined,
        beside: {ksn, iv},
        keys: {testKeys: true, typed: ''},
      }),
    [text, deviceType, ksn, iv],
  );
  return (
    <>
      {exploration.opened && (
        <Band
          {...{exploration, reveal}}
          error={undefined}
          said={undefined}
          diagnosis={{kind: 'idle'}}
          onApply={() => {}}
        />
      )}
      <Panes {...{exploration, reveal}} />
    </>
  );
}

function MaskedFields({payload}: {readonly payload: InspectedPayload}) {
  const [selected, setSelected] = useState(-1);
  const fields = useMemo(() => fieldsOf(payload), [payload]);
  return (
    <>
      <p class="quiet">
        {[payload.deviceType, payload.form].filter(Boolean).join(': ')} · real mode keeps no card
        numbers
      </p>
      <div class="pane fields">
        <FieldTree
          fields={fields}
          reveal={false}
          selected={selected}
          onSelect={setSelected}
          onHover={() => {}}
          onEnter={() => {}}
        />
      </div>
    </>
  );
}

/** Parts in their order, each below the last one that is less deep. */
function fieldsOf({parts, encrypted}: InspectedPayload): readonly Field[] {
  const top: NewField[] = [];
  const open: {readonly depth: number; readonly children: NewField[]}[] = [];
  const isEncrypted = new Set(encrypted.map(({offset}) => offset));
  for (const {offset, length, depth, name, value, meaning = ''} of parts) {
    const children: NewField[] = [];
    const kind = isEncrypted.has(offset) ? 'encrypted' : 'data';
    const texts = {name: plain(name), value: plain(value), meaning: plain(meaning)};
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    (open.at(-1)?.children ?? top).push({offset, length, kind, ...texts, children});
    open.push({depth, children});
  }
  return listed(top);
}
