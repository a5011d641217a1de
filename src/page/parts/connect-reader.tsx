import {useEffect, useRef, useState} from 'preact/hooks';
import {type ReaderPort, readPort, serialPorts} from '../model/serial-reader.js';
import type {ExplorerStore} from '../store/explorer-store.js';
import {Button, SelectField} from './form-fields.js';

interface ReaderProps {
  readonly store: ExplorerStore;
  /** Nothing is to be read yet; while a port is open or has sent reads, they stay. */
  readonly isOffered: boolean;
  /** How often everything was forgotten. */
  readonly resets: number;
}

/** A read of the connected reader. */
interface PortRead {
  readonly time: string;
  readonly payload: string;
}

/** A port that is open, and what ends it. */
interface OpenPort {
  readonly port: ReaderPort;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

const SPEEDS = ['9600', '19200', '38400', '115200'].map((each) => [each, `${each} baud`] as const);
/** Earlier ones are dropped. */
const MAX_READS = 20;

/** The port that is open, its reads, newest first, and what there is to say of it. */
function useReader({store, resets}: ReaderProps) {
  const [reads, setReads] = useState<readonly PortRead[]>([]);
  const [told, setTold] = useState('');
  const open = useRef<OpenPort | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);

  const end = async (forgets: boolean) => {
    const {current} = open;
    open.current = undefined;
    current?.stop.abort();
    await current?.done;
    if (forgets) await current?.port.forget().catch(() => {});
  };
  useEffect(() => {
    if (resets === 0) return;
    setReads([]);
    setTold('');
    void end(true);
  }, [resets]);

  const take = (payload: string) => {
    const time = new Date().toTimeString().slice(0, 8);
    setReads((earlier) => [{time, payload}, ...earlier].slice(0, MAX_READS));
    store.take(payload);
  };
  const connect = async (baudRate: number) => {
    const port = await serialPorts()
      ?.requestPort()
      .catch(() => undefined);
    // The person chose none.
    if (!port) return;
    const stop = new AbortController();
    const reading = readPort(port, {baudRate, signal: stop.signal}, take);
    const done = reading
      .then(() => stop.signal.aborted || setTold('The reader has gone. Its reads are kept.'))
      .catch(() => setTold('The port cannot be opened: another program may use it.'))
      .then(() => setOpen(false));
    open.current = {port, stop, done};
    setOpen(true);
    setTold('Waiting for reads.');
  };
  const disconnect = () => {
    setTold('');
    void end(false);
  };
  return {reads, told, isOpen, connect, disconnect};
}

/** Connects a serial reader, where the browser can: each read becomes the payload, and earlier ones stay. */
export function ConnectReader(props: ReaderProps) {
  const [speed, setSpeed] = useState('115200');
  const {reads, told, isOpen, connect, disconnect} = useReader(props);
  if (!serialPorts() || !(props.isOffered || isOpen || reads.length > 0)) return null;
  return (
    <div class="form reader">
      <SelectField
        label="Speed of the reader"
        value={speed}
        choices={SPEEDS}
        isDisabled={isOpen}
        onChoose={setSpeed}
      />
      <Button onClick={isOpen ? disconnect : () => connect(Number(speed))}>
        {isOpen ? 'Disconnect reader' : 'Connect reader'}
      </Button>
      {reads.map(({time, payload}, i) => (
        <Button key={reads.length - i} class="link" onClick={() => props.store.take(payload)}>
          {`Read ${time}`}
        </Button>
      ))}
      <span class="quiet" aria-live="polite">
        {told}
      </span>
    </div>
  );
}
