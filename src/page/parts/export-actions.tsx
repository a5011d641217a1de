import {useEffect, useRef, useState} from 'preact/hooks';
import type {Exploration} from '../model/explore.js';
import {commandFor, jsonOf} from '../model/exported.js';
import {fragmentOf, isPublished, type Linked, linkedBy} from '../model/link.js';

export const NOT_LINKED =
  'A link can hold published test cards only. This payload is not one of them.';
const NO_COMMAND =
  'The command would hold card data. Show card numbers first, or decrypt the payload.';
const NO_LINK = 'This link holds no payload that the page can read.';

interface ExportProps {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  readonly linked: Linked;
  readonly onRefusal: (text: string | undefined) => void;
}

/** What takes a payload out of the page: link, command line, JSON, print. */
export function ExportActions({exploration, reveal, linked, onRefusal}: ExportProps) {
  const [copied, setCopied] = useState<string>();
  useEffect(() => setCopied(undefined), [exploration, reveal]);
  const copy = (text: string) => {
    onRefusal(undefined);
    setCopied(text);
    void navigator.clipboard?.writeText(text).catch(() => undefined);
  };
  const onLink = () => {
    if (!isPublished(linked.text, exploration)) return onRefusal(NOT_LINKED);
    copy(`${location.href.replace(/#.*/, '')}${fragmentOf(linked)}`);
  };
  const onCommand = () => {
    const command = commandFor(exploration, reveal);
    if (command === undefined) onRefusal(NO_COMMAND);
    else copy(command);
  };
  return (
    <>
      <span class="exports" role="group" aria-label="Export">
        <button type="button" class="link" onClick={onLink}>
          Copy link
        </button>
        <button type="button" class="link" onClick={onCommand}>
          Copy command
        </button>
        <button type="button" class="link" onClick={() => save(jsonOf(exploration, reveal))}>
          Save JSON
        </button>
        <button type="button" class="link" onClick={() => print()}>
          Print
        </button>
      </span>
      {copied !== undefined && (
        <output class="copied mono" aria-label="Copied" tabIndex={0}>
          {copied}
        </output>
      )}
    </>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'payload.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Tells of the payload in the fragment of the address, now and when it changes; it is not kept there. */
export function useLink(open: (linked: Linked) => void, refuse: (text: string) => void): void {
  const latest = useRef({open, refuse});
  latest.current = {open, refuse};
  useEffect(() => {
    const read = () => {
      const {hash} = location;
      if (hash === '' || hash === '#') return;
      history.replaceState(null, '', location.href.replace(/#.*/, ''));
      const linked = linkedBy(hash);
      if (linked) latest.current.open(linked);
      else latest.current.refuse(NO_LINK);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
}
