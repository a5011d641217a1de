import {useState} from 'preact/hooks';
import type {RequestDetail} from '../../contract/control/inspected-request.js';
import {hashCommand, signCommand} from '../../export/copy-forms.js';
import {oneLine} from '../model/shown.js';
import {Button, PLAIN_TEXT} from '../parts/form-fields.js';
import {copyOf} from './server.js';

/** The string that the server hashed beside the one that the client signed, or one that is pasted. */
export function SignedStrings({detail}: {readonly detail: RequestDetail}) {
  const {stringToHash, signedString, unexplained, steps} = detail;
  const [own, setOwn] = useState('');
  if (stringToHash === undefined) return null;
  const isHashWrong = steps.some(({name, state}) => name === 'Body hash' && state === 'failed');
  const other = own === '' ? signedString : own;
  const at = other === undefined ? undefined : firstDifference(stringToHash, other);
  const last = stringToHash.lastIndexOf('\n') + 1;
  return (
    <section>
      <h3 class="label">String to sign</h3>
      {other !== undefined && <p aria-live="polite">{differenceText(stringToHash, at)}</p>}
      {other !== undefined && <p class="quiet">Hashed by the server</p>}
      <MarkedString text={stringToHash} at={at ?? (isHashWrong && !other ? last : undefined)} />
      {other !== undefined && (
        <>
          <p class="quiet">{own === '' ? 'Signed by the client' : 'Your string'}</p>
          <MarkedString text={other} {...{at}} />
        </>
      )}
      {unexplained && <OpensslCopies {...{detail, stringToHash}} />}
      {detail.request.errCode !== undefined && (
        <details>
          <summary class="quiet">Compare with the string of your code</summary>
          <textarea
            class="field mono"
            rows={5}
            aria-label="String of your code"
            {...PLAIN_TEXT}
            value={own}
            onInput={({currentTarget}) => setOwn(currentTarget.value)}
          />
        </details>
      )}
    </section>
  );
}

/** The index of the first character that differs; undefined for the same strings. */
function firstDifference(one: string, other: string): number | undefined {
  if (one === other) return undefined;
  const at = [...one].findIndex((_, i) => one[i] !== other[i]);
  return at < 0 ? one.length : at;
}

function differenceText(text: string, at: number | undefined): string {
  if (at === undefined) return 'Both strings are the same: the key or the way of signing differs.';
  const before = text.slice(0, at).split('\n');
  return `They differ from line ${before.length}, character ${(before.at(-1) ?? '').length + 1}.`;
}

/** A string with its line ends and blanks shown, since they are signed; from `at` on it is marked. */
function MarkedString({
  text,
  at = text.length + 1,
}: {
  readonly text: string;
  readonly at?: number | undefined;
}) {
  const first = text.slice(at, at + 1);
  return (
    <pre class="quoted mono">
      {visible(text.slice(0, at))}
      {at <= text.length && <mark class="bad wave">{first === '' ? '(end)' : visible(first)}</mark>}
      {visible(text.slice(at + 1))}
    </pre>
  );
}

const ESCAPES: Readonly<Record<string, string>> = {'\n': '⏎\n', '\r': '\\r', '\t': '\\t'};

function visible(text: string): string {
  const parts = text.split(/(\n|\r|\t| (?=\n|$))/);
  return parts.map((part) => ESCAPES[part] ?? (part === ' ' ? '␠' : oneLine(part))).join('');
}

interface CopiesProps {
  readonly detail: RequestDetail;
  readonly stringToHash: string;
}

/** Both inputs of the signature as commands. */
function OpensslCopies({detail, stringToHash}: CopiesProps) {
  const [notice, setNotice] = useState('');
  const {process, sequence} = detail.request;
  const copy = async (command: string) => {
    await navigator.clipboard.writeText(command);
    setNotice('Copied.');
  };
  const copyBody = async () => {
    const sent = await copyOf(`${process}-${sequence}`);
    await copy(hashCommand(sent));
    if (sent.isMasked) setNotice('Copied with secrets hidden: put your own body there.');
  };
  return (
    <p class="actions">
      Compute both with <code>openssl dgst</code>:{' '}
      <Button onClick={() => void copyBody().catch(() => setNotice('Not copied.'))}>
        Copy the body to hash
      </Button>
      <Button onClick={() => void copy(signCommand(stringToHash, detail))}>
        Copy the string to sign
      </Button>
      <span class="quiet" aria-live="polite">
        {notice}
      </span>
    </p>
  );
}
