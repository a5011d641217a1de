import {useEffect, useState} from 'preact/hooks';
import {commandOf} from '../../diagnosis/answer/command-of.js';
import {cardRows} from '../../engine/card-rows.js';
import {pastable} from '../../engine/decode-input.js';
import {KNOWN_TERMINALS} from '../../engine/families/registry.js';
import type {AnyRequest} from '../../engine/families/terminal-set.js';
import {typesNamed} from '../../engine/recognise.js';
import {DECRYPT_FORMS} from '../../export/copy-forms.js';
import {useWindowEvents} from '../hooks/use-window-events.js';
import type {Exploration} from '../model/explore.js';
import {fragmentOf, isCardBeside, isPublished, linkedBy, linkedOf} from '../model/link.js';
import {type ExplorerStore, NOT_LINKED} from '../store/explorer-store.js';
import {Button} from './form-fields.js';
import {saveFile} from './save-file.js';

const NO_REQUEST =
  'The copy would hold card data. Show card numbers first, or decrypt the payload.';
const NOT_COPIED = 'The browser does not let this page copy. Save the request instead.';
const NO_LINK = 'This link holds no payload that the page can read.';

interface ExportProps {
  readonly exploration: Exploration;
  readonly reveal: boolean;
  readonly onRefusal: (text: string | undefined) => void;
}

/** Exports of a payload: link, command line, JSON, print. */
export function ExportActions({exploration, reveal, onRefusal}: ExportProps) {
  const [told, setTold] = useState('');
  useEffect(() => setTold(''), [exploration, reveal]);
  const copy = (text: string) => {
    onRefusal(undefined);
    setTold('');
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject();
    writing.then(() => setTold('Copied.')).catch(() => onRefusal(NOT_COPIED));
  };
  const onLink = () => {
    if (!isPublished(exploration) || isCardBeside(exploration)) return onRefusal(NOT_LINKED);
    // The path of a file says where its user keeps it.
    const page = location.protocol === 'file:' ? '' : location.href.replace(/#.*/, '');
    copy(`${page}${fragmentOf(linkedOf(exploration))}`);
  };
  // Undefined where it would show card data that the page hides, or where nothing was read.
  const isOpen = !exploration.hidden.includes(1) || isPublished(exploration);
  const isShown = reveal || (isOpen && !isCardBeside(exploration));
  const request = isShown ? namedRequest(exploration) : undefined;
  const give = (form: (request: AnyRequest) => string, to = copy) =>
    request ? to(form(request)) : onRefusal(NO_REQUEST);
  const actions = {
    'Copy link': onLink,
    'Copy payload': () => give(({devicePayload}) => pastable(devicePayload)),
    'Copy request': () => give(JSON.stringify),
    'Copy command': () =>
      give((own) => {
        const {request, ownKey} = callOf(own, exploration.opened);
        return commandOf({request, keys: ownKey ? 'given' : 'published', kind: ownKey ?? 'bdk'});
      }),
    ...Object.fromEntries(
      Object.entries(DECRYPT_FORMS).map(([name, form]) => [
        `Copy ${name}`,
        () => give((own) => form(callOf(own, exploration.opened))),
      ]),
    ),
    'Save request': () => give(JSON.stringify, (text) => saveFile('request.json', text)),
    'Save JSON': () => saveFile('payload.json', jsonOf(exploration, reveal)),
    Print: () => print(),
  };
  return (
    <span class="exports" role="group" aria-label="Export">
      {Object.entries(actions).map(([name, act], i, all) => (
        <Button key={name} class="link" aria-label={name} onClick={act}>
          {all[i - 1]?.[0].startsWith(verbOf(name)) ? name.slice(verbOf(name).length) : name}
        </Button>
      ))}
      <span class="quiet" aria-live="polite">
        {told}
      </span>
    </span>
  );
}

/** `Copy ` of `Copy link`: it is written once for all that follow. */
function verbOf(name: string): string {
  return name.slice(0, name.indexOf(' ') + 1) || name;
}

/** Opens the payload in the fragment of the address, now and when it changes, and removes it there. */
export function useLink(store: ExplorerStore): void {
  const open = () => {
    const {hash} = location;
    if (hash === '' || hash === '#') return;
    history.replaceState(null, '', location.href.replace(/#.*/, ''));
    const linked = linkedBy(hash);
    if (linked) store.takeLink(linked);
    else store.show({refusal: NO_LINK});
  };
  useEffect(open, []);
  useWindowEvents({hashchange: open});
}

/** What was found, as JSON: `inspect --json`, the rows of the card and how it was decrypted. */
function jsonOf({inspection, opened}: Exploration, reveal: boolean): string {
  const answer = {
    ...inspection,
    ...(opened && {
      card: reveal ? opened.result : Object.fromEntries(cardRows(opened.result, false)),
      explanation: opened.explanation,
    }),
  };
  return `${JSON.stringify(answer, undefined, 2)}\n`;
}

/** The request with a type that it may name: only the plaintext tells some apart. */
function namedRequest({input: {request}, opened}: Exploration): AnyRequest | undefined {
  if (!request) return undefined;
  const types = typesNamed(request.deviceType, KNOWN_TERMINALS);
  const isOpened = (type: string) =>
    KNOWN_TERMINALS.get(type).manufacturer === opened?.result.meta.device;
  const [deviceType = request.deviceType] = [...types.filter(isOpened), ...types];
  return {...request, deviceType};
}

function callOf({deviceType, devicePayload, ksn, iv}: AnyRequest, opened: Exploration['opened']) {
  const ownKey = !opened || opened.isPublishedKey ? undefined : opened.kind;
  return {request: {deviceType, devicePayload, ksn, iv}, ownKey};
}
