import {didYouMean} from '../../contract/nearest-name.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {kcvsOf} from '../keys/describe-key.js';
import {algorithmsOf, type KeyEntry} from '../keys/key-entry.js';

/**
 * The key block protection key of this name, without one the only one there is. Throws 9001 when
 * none or several fit, or the name is that of another kind of key.
 */
export function selectKbpk(keys: readonly KeyEntry[], name?: string): KeyEntry {
  const kbpks = keys.filter(
    (key) => key.kind === 'kbpk' && (name === undefined || key.name === name),
  );
  const [kbpk] = kbpks;
  if (kbpk && kbpks.length === 1) return kbpk;
  const wanted = name === undefined ? 'one KBPK' : `a KBPK named "${name}"`;
  throw new PaylensError(
    9001,
    `expected ${wanted} in the keyfile, found ${foundText(keys, name)}`,
    {
      hint:
        kbpks.length > 1
          ? 'Choose one with --kbpk.'
          : (didYouMean(name ?? '', kbpkNames(keys), '--kbpk ') ?? ADD_ONE),
    },
  );
}

const ADD_ONE =
  'Add one with `paylens key add --kind kbpk`, or run `paylens key list` to see the keys.';

function kbpkNames(keys: readonly KeyEntry[]): string[] {
  return keys.flatMap(({kind, name}) => (kind === 'kbpk' && name !== undefined ? [name] : []));
}

/** How messages name a kbpk: by name and KCV. */
export function kbpkText(kbpk: KeyEntry): string {
  const kcvs = Object.values(kcvsOf(kbpk.secret.reveal(), algorithmsOf(kbpk)));
  const name = kbpk.name === undefined ? 'the KBPK' : `KBPK "${kbpk.name}"`;
  return `${name} (KCV ${kcvs.join(' or ')})`;
}

function foundText(keys: readonly KeyEntry[], name: string | undefined): string {
  const other = keys.find((key) => name !== undefined && key.name === name);
  if (other && other.kind !== 'kbpk') return `a ${other.kind.toUpperCase()}`;
  const count = keys.filter(({kind}) => kind === 'kbpk').length;
  return name === undefined && count > 0 ? `${count}` : 'none';
}
