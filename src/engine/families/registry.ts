import type {DeviceType} from '../../contract/device-types.js';
import type {ProcessPayloadRequest} from '../../contract/process-payload.js';
import {abecs} from './abecs/terminal.js';
import {bbpos} from './bbpos/terminal.js';
import {dspread} from './dspread/terminal.js';
import {generic} from './generic/terminal.js';
import {idtech} from './idtech/terminal.js';
import {ifsf} from './ifsf/terminal.js';
import {ingenicoRa1, ingenicoRba} from './ingenico/terminal.js';
import {magtek} from './magtek/terminal.js';
import {miura} from './miura/terminal.js';
import {newland} from './newland/terminal.js';
import {nexo} from './nexo/terminal.js';
import {phressiapad} from './phressiapad/terminal.js';
import {poynt} from './poynt/terminal.js';
import {prima} from './prima/terminal.js';
import {spire} from './spire/terminal.js';
import type {Terminal} from './terminal.js';
import {TerminalSet} from './terminal-set.js';
import {verifone} from './verifone/terminal.js';
import {wisepad, wisepad2} from './wisepad/terminal.js';

/** The terminals of the interface, in the order in which messages and pages list them. */
const OF_INTERFACE = [
  generic,
  idtech,
  ingenicoRa1,
  ingenicoRba,
  miura,
  prima,
  verifone,
  wisepad,
  wisepad2,
  phressiapad,
] as const satisfies readonly Terminal[];

/** The terminals beyond the interface: accepted by the service only with --extended. */
const FURTHER = [
  magtek,
  ifsf,
  nexo,
  dspread,
  newland,
  bbpos,
  poynt,
  spire,
  abecs,
] as const satisfies readonly Terminal[];

const ALL = [...OF_INTERFACE, ...FURTHER] as const;

/** Their types: literals, and nothing else of them, in the declarations of the package. */
export const TERMINAL_TYPES = Object.freeze(ALL.map(({type}) => type));

/** The type of a terminal that paylens supports: those of the interface, and possibly more. */
export type TerminalType = (typeof TERMINAL_TYPES)[number];

/** A request to read a payload of any of these types. */
export type TerminalRequest = ProcessPayloadRequest<TerminalType>;

/** Those of the terminals beyond the interface. */
export const FURTHER_TYPES: readonly TerminalType[] = FURTHER.map(({type}) => type);

/** The terminals of paylens. */
export const KNOWN_TERMINALS = new TerminalSet(ALL);

/** Every terminal by its type; it does not compile if one of the interface is missing. */
export const TERMINALS = Object.fromEntries(
  ALL.map((terminal) => [terminal.type, terminal]),
) as Readonly<Record<TerminalType, Terminal>> satisfies Readonly<Record<DeviceType, Terminal>>;
