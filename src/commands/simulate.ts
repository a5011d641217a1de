import {setImmediate as nextTurn} from 'node:timers/promises';

import {flag, shownDefault} from '../cli/flags/flag.js';
import {terminalFlag} from '../cli/input/payload-flags.js';
import {chooseKeys} from '../cli/keyfile/choose-keys.js';
import {keyAlgorithmFlag, keyFlags} from '../cli/keyfile/key-flags.js';
import {table} from '../cli/output/layout/table.js';
import {note, printBlock, printJson, printResult, printVerbatim} from '../cli/output/output.js';
import {serveTerminal} from '../cli/serve/serve-terminal.js';
import {interruptionSignal} from '../cli/stop-at-signals.js';
import {TerminalCommand} from '../cli/terminal-command.js';
import {PaylensError} from '../contract/paylens-error.js';
import {MODES} from '../contract/process-payload.js';
import {isBinary} from '../engine/decode-input.js';
import {KeyRing} from '../engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../engine/families/registry.js';
import {writerOf} from '../engine/families/terminal.js';
import type {Writer} from '../engine/writing.js';
import {chooseCard, chooseKsn, readOptions} from '../simulator/choose-simulation.js';
import {DAMAGES, type Damage} from '../simulator/damage.js';
import {
  type SimulatedRequest,
  type Simulation,
  simulate,
  simulateStream,
} from '../simulator/simulate.js';
import {TEST_CARDS} from '../simulator/test-cards.js';

const KINDS_OF_DAMAGE = Object.keys(DAMAGES) as Damage[];

/** Makes payloads as a terminal would send them, encrypted under a key of the ring. */
export default class Simulate extends TerminalCommand {
  static override description = 'Generate a terminal payload for a test card.';
  static override flags = {
    'device-type': flag.choice(TERMINAL_TYPES, `terminal type: ${TERMINAL_TYPES.join(', ')}`, {
      char: 'd',
      helpValue: 'TYPE',
    }),
    mode: flag.choice(MODES, "entry mode; default: the terminal's first"),
    card: flag.text('NAME', 'built-in test card', shownDefault('visa')),
    pan: flag.text('DIGITS', "PAN of 12 to 19 digits instead of the test card's"),
    expiry: flag.text('YYMM', 'expiry date'),
    name: flag.text('SURNAME/FIRST', 'cardholder name'),
    'service-code': flag.text('DIGITS', 'service code'),
    discretionary: flag.text('DIGITS', 'discretionary data'),
    cvv: flag.text('DIGITS', 'CVV, for keyed entry'),
    ksn: flag.text('HEX', 'KSN of the transaction'),
    counter: flag.integer('N', 'transaction counter (overrides the one in the KSN)', {min: 1}),
    serial: flag.text('TEXT', 'serial number of the device'),
    iv: flag.text('HEX', 'IV, if the format has one'),
    option: flag.texts('NAME=VALUE', 'format option, see --list-options (repeatable)'),
    damage: flag.choice(KINDS_OF_DAMAGE, 'corrupt the payload'),
    count: flag.integer('N', 'generate N requests as JSONL with increasing counters', {min: 1}),
    serve: flag.text('ADDRESS', 'answer as this terminal at tcp:PORT, or tcp:HOST:PORT', {
      exclusive: ['count', 'iv', 'terminal'],
    }),
    'control-port': flag.integer(
      'N',
      'port of the control routes of --serve, on this machine; default: any free port',
      {min: 0, max: 65_535, dependsOn: ['serve']},
    ),
    ...terminalFlag,
    'list-cards': flag.on('list the test cards'),
    'list-options': flag.on('list the format options and kinds of damage'),
    ...keyFlags(),
    ...keyAlgorithmFlag,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> --device-type idtech --card amex --test-keys',
    '<%= config.bin %> <%= command.id %> --device-type generic --mode emv --test-keys --json',
    '<%= config.bin %> <%= command.id %> --device-type idtech --option form=keyboard --damage lrc --test-keys',
    '<%= config.bin %> <%= command.id %> --device-type idtech --count 1000 --test-keys > reads.jsonl',
    '<%= config.bin %> <%= command.id %> --device-type miura --serve tcp:12000 --test-keys',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parseWithTerminals(Simulate);
    if (flags['list-cards']) return listCards(flags.json);
    const {terminals, 'device-type': type} = flags;
    if (type === undefined) throw new PaylensError(2000);
    const writer = await writerOf(terminals.get(type));
    if (flags['list-options']) return listOptions(writer, flags.json);
    const settings = {
      deviceType: type,
      terminals,
      card: chooseCard(flags),
      ksn: chooseKsn(flags.ksn, flags.counter),
      serial: flags.serial,
      iv: flags.iv,
      options: readOptions(flags.option ?? []),
      damage: flags.damage,
      keys: new KeyRing(await chooseKeys(flags)),
    };
    const {serve, mode, json, quiet} = flags;
    if (serve !== undefined) {
      const asked = {serve, controlPort: flags['control-port'] ?? 0, json, quiet};
      return serveTerminal({...settings, mode}, asked, interruptionSignal());
    }
    const simulation = {...settings, mode: mode ?? writer.modes[0] ?? 'swiped'};
    if (flags.count !== undefined) return printStream(writer, simulation, flags.count);
    const request = simulate(writer, simulation);
    if (flags.json) printJson(request);
    else printPayload(request);
  }
}

/** Requests made before signals are handled. */
const REQUESTS_PER_TURN = 200;

async function printStream(
  writer: Writer,
  simulation: Simulation<string>,
  count: number,
): Promise<void> {
  let made = 0;
  for (const request of simulateStream(writer, simulation, count)) {
    await printBlock(Buffer.from(`${JSON.stringify(request)}\n`));
    made += 1;
    // Otherwise no signal is handled while its reader keeps up.
    if (made % REQUESTS_PER_TURN === 0) await nextTurn();
  }
}

/** Only the payload is the result; parameters that must accompany it are reported as a note. */
function printPayload({devicePayload, ksn, iv, deviceSerial}: SimulatedRequest<string>): void {
  printVerbatim(isBinary(devicePayload) ? Buffer.from(devicePayload, 'latin1') : devicePayload);
  const flags = Object.entries({ksn, iv, serial: deviceSerial}).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${value}`],
  );
  if (flags.length > 0) note(`Not in the payload; decrypt needs: ${flags.join(' ')}`);
}

async function listCards(json: boolean): Promise<void> {
  const members = TEST_CARDS.map(({id, brand, pan, name, expiry, serviceCode, source}) => {
    return {id, brand, pan, name, expiry, serviceCode, source};
  });
  if (json) return printJson(members);
  const rows = members.map(({id, brand, pan, name}) => [id, brand, pan, name.trimEnd()]);
  printResult(table(['card', 'brand', 'PAN', 'name'], rows));
}

async function listOptions({modes, options}: Writer, json: boolean): Promise<void> {
  if (json) {
    const plain = options.map(({name, values, meaning}) => ({name, values, meaning}));
    return printJson({modes, options: plain, damages: DAMAGES});
  }
  const rows = options.map(({name, values, form, meaning}) => [
    name,
    [...values.filter((value) => value !== ''), ...(form ? ['...'] : [])].join('\n'),
    meaning,
  ]);
  const damages = Object.entries(DAMAGES).map(([name, meaning]) => ['--damage', name, meaning]);
  const mode = ['--mode', modes.join('\n'), 'how the card was read'];
  printResult(table(['option', 'values', 'meaning'], [mode, ...rows, ...damages]));
}
