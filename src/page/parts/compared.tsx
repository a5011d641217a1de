import {useMemo} from 'preact/hooks';
import {type Comparison, compare} from '../model/compare.js';
import type {Exploration} from '../model/explore.js';
import type {Field} from '../model/field.js';
import {oneLine, shownAs} from '../model/shown.js';
import {Band} from './band.js';
import {Panes} from './panes.js';

interface ComparedProps {
  readonly reads: readonly [Exploration, Exploration];
  readonly reveal: boolean;
}

/** Two reads side by side, each with its card or error, and the fields that differ on demand. */
export function Compared({reads, reveal}: ComparedProps) {
  const comparison = useMemo(() => compare(...reads), reads);
  return (
    <>
      {comparison && <Changes {...{comparison, reveal}} />}
      <div class="sides">
        {reads.map((exploration, side) => (
          <section key={side} aria-label={`Read ${side + 1}`}>
            <Band {...{exploration, reveal}} />
            <Panes {...{exploration, reveal}} isSide differing={comparison?.differing[side]} />
          </section>
        ))}
      </div>
    </>
  );
}

function Changes({
  comparison: {same, changed},
  reveal,
}: Pick<ComparedProps, 'reveal'> & {readonly comparison: Comparison}) {
  const shown = (field: Field | undefined) =>
    field ? oneLine(shownAs(field.value, reveal) || shownAs(field.meaning, reveal)) : 'not there';
  return (
    <details class="band">
      <summary>
        {same} the same, {changed.length} changed
      </summary>
      <dl>
        {changed.map(({path, sides}) => (
          <div key={path}>
            <dt class="label">{oneLine(path)}</dt>
            {sides.map((field, side) => (
              <dd key={side} class="mono">
                {shown(field)}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}
