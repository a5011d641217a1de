import type {Socket} from 'node:net';
import {Duplex} from 'node:stream';
import {afterEach, describe, expect, it} from 'vitest';
import {errorObjectOf} from '../../../src/contract/error-object.js';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {idtechTable} from '../../../src/service/terminal/idtech.js';
import {startTerminal} from '../../../src/service/terminal/start-terminal.js';
import {TerminalSession} from '../../../src/service/terminal/terminal-session.js';
import type {
  StartTerminalOptions,
  TerminalFault,
  TestTerminal,
} from '../../../src/service/terminal/test-terminal.js';
import {errorOf} from '../../engine/error-of.js';
import {testRing} from '../../engine/samples.js';
import {testCard} from '../../payloads.js';
import {Client, WIRES} from './wire.js';

type Type = StartTerminalOptions['deviceType'];

const TYPES = ['idtech', 'miura', 'ingenico-rba'] as const;
/** The command of each that reads a card without another message before it. */
const READS = {idtech: '02-40 0A', miura: 'DE D1 00 00', 'ingenico-rba': '23.'} as const;
const HARMLESS = {idtech: '18-01', miura: 'D2 01 00 00', 'ingenico-rba': '11.'} as const;
const FIRST_KSN = 'FFFF9876543210E00001';

let open: {close: () => unknown}[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(options: StartTerminalOptions): Promise<TestTerminal> {
  const terminal = await startTerminal(options);
  open.push(terminal);
  return terminal;
}

async function connectTo({port}: TestTerminal, type: Type): Promise<Client> {
  const client = await Client.open(port, WIRES[type]);
  open.push({close: () => client.socket.destroy()});
  return client;
}

async function both(options: StartTerminalOptions) {
  const terminal = await start(options);
  return {terminal, client: await connectTo(terminal, options.deviceType)};
}

function cardIn(type: Type, message: Buffer) {
  const devicePayload =
    type === 'ingenico-rba' ? message.toString('latin1') : message.toString('hex');
  const {meta, extracted} = processPayload({deviceType: type, devicePayload}, testRing());
  return {pan: extracted.PAN, mode: meta.mode};
}

const hex = (bytes: Buffer) => bytes.toString('hex').toUpperCase();
const VIVO = '5669564F746563683200';

describe('documented exchanges', () => {
  // NEO's interface guide: ping, its response, and the request of the serial number.
  it('are the same byte for byte', async () => {
    const {client} = await both({deviceType: 'idtech', serial: '0123456789'});
    client.socket.write(Buffer.from(`${VIVO}18010000B3CD`, 'hex'));
    expect(hex(await client.next())).toBe(`${VIVO}18000000FA83`);
    client.socket.write(Buffer.from(`${VIVO}1201000018A5`, 'hex'));
    const serial = hex(await client.next());
    expect(serial.slice(0, 28)).toBe(`${VIVO}1200000F`);
    expect(serial.slice(28, 58)).toBe(`${Buffer.from('0123456789').toString('hex')}0000000000`);
  });

  it.each([
    ['12-01', '0B'],
    ['77-01', '02'],
    ['18-09', '03'],
    ['0A-02 00', '00'],
    ['0B-02', '00'],
    ['01-01 01', '00'],
    ['05-01', '00'],
  ])('%s of idtech has the status %s', async (command, status) => {
    const {client} = await both({deviceType: 'idtech'});
    const answer = hex(await client.ask(command));
    expect([answer.slice(20, 22), answer.slice(22, 24)]).toEqual([command.slice(0, 2), status]);
  });

  it.each([
    ['99 99 00 00', '6D00'],
    ['D0 61 00 00', '9000'],
    ['D0 FF 00 00', '9000'],
    ['DE D2 00 00 04 8A 02 30 30', 'E3009000'],
    ['DE D2 00 00 04 8A 02 30 35', 'E5009000'],
    ['EE E0 00 00', 'E1009000'],
  ])('%s of miura is answered with %s', async (command, body) => {
    const {client} = await both({deviceType: 'miura'});
    expect(hex((await client.ask(command)).subarray(3, -1))).toBe(body);
  });

  it('of miura name the device in E1', async () => {
    const {client} = await both({deviceType: 'miura', serial: '00112233'});
    const body = hex((await client.ask('D0 00 00 00')).subarray(3, -1));
    expect(body).toMatch(/^E1..9F1E083030313132323333DF0D.*DF7F.*9000$/);
    expect(hex((await client.ask('D0 01 00 00')).subarray(3, -1))).toMatch(/^E1..ED..DF0D.*9000$/);
  });

  it.each([
    ['01.00000000', '01.2'],
    ['15.0', '15.2'],
    ['28.90000398', '28.2'],
    ['29.00000398', '29.2000398'],
    ['60.1\x1d1\x1d0', '60.2'],
  ])('%s of ingenico-rba gets ACK and %s', async (command, text) => {
    const {client} = await both({deviceType: 'ingenico-rba'});
    client.send(command);
    expect(await client.next()).toEqual(Buffer.of(0x06));
    expect((await client.next()).subarray(1, -2).toString()).toBe(text);
  });

  it('of ingenico-rba get no answer when they are not known', async () => {
    const {client, terminal} = await both({deviceType: 'ingenico-rba'});
    client.send('99.x');
    expect(hex(await client.rest())).toBe('06');
    expect(terminal.commands()).toMatchObject([{command: '99.'}]);
    expect(terminal.commands()[0]).not.toHaveProperty('name');
  });
});

describe('reads', () => {
  const WAYS = [
    ['idtech', '02-40 0A', 'swiped'],
    ['idtech', '02-01 0A', 'emv'],
    ['idtech', '02-40 0A', 'keyed'],
    ['miura', 'D0 60 3F 00', 'swiped'],
    ['miura', 'DE D1 00 00', 'emv'],
    ['miura', 'DE C1 00 00', 'emv'],
    ['miura', 'D2 5A 00 00', 'keyed'],
    ['ingenico-rba', '23.', 'swiped'],
    ['ingenico-rba', '23.', 'keyed'],
    ['ingenico-rba', '87.', 'swiped'],
    ['ingenico-rba', '33.00', 'emv'],
    ['ingenico-rba', '33.03', 'emv'],
  ] as const;

  it.each(WAYS)('of %s by %s are %s, with the next counter each', async (type, command, mode) => {
    const {client} = await both({deviceType: type, mode, card: 'amex'});
    const ksns: string[] = [];
    for (let i = 0; i < 3; i++) {
      let message = await client.ask(command);
      if (command.startsWith('D0 60')) {
        expect(hex(message)).toBe('010002900093');
        message = await client.next();
        expect(message[1]).toBe(0x40);
      }
      expect(cardIn(type, message)).toEqual({pan: testCard('amex').pan, mode});
      ksns.push(message.toString('latin1').includes('FFFF98') ? 'text' : hex(message));
    }
    expect(new Set(ksns.map((text) => /FFFF9876543210E0000\d/.exec(text)?.[0] ?? text)).size).toBe(
      ksns.includes('text') ? 1 : 3,
    );
  });

  it('have counters that pass those with too many bits, as simulate has', async () => {
    const {client, terminal} = await both({deviceType: 'miura', ksn: 'FFFF9876543210E00BFE'});
    // 0BFE has ten bits, as many as are used; 0BFF has eleven.
    for (const ksn of ['FFFF9876543210E00BFE', 'FFFF9876543210E00C00'])
      expect(hex(await client.ask('DE D1 00 00'))).toContain(ksn);
    terminal.reset();
    expect(hex(await client.ask('DE D1 00 00'))).toContain('FFFF9876543210E00BFE');
  });

  it('end with a failure when the counter is exhausted', async () => {
    const {client} = await both({deviceType: 'miura', ksn: 'FFFF9876543210FFF800'});
    expect(hex((await client.ask('DE D1 00 00')).subarray(3, -1))).toBe('6F00');
  });

  it('have one counter for every connection', async () => {
    const {client, terminal} = await both({deviceType: 'miura'});
    const other = await connectTo(terminal, 'miura');
    expect(hex(await client.ask('DE D1 00 00'))).toContain(FIRST_KSN);
    expect(hex(await other.ask('DE D1 00 00'))).toContain('FFFF9876543210E00002');
  });

  it('are damaged as simulate damages them', async () => {
    const {client} = await both({deviceType: 'miura', damage: 'wrong-key'});
    const read = await client.ask('DE D1 00 00');
    expect(() => cardIn('miura', read)).toThrow(expect.objectContaining({code: 2601}));
  });

  it.each([
    ['miura', {form: 'template'}],
    ['ingenico-rba', {frame: 'off'}],
    ['idtech', {message: 'none'}],
    ['idtech', {nothing: '1'}],
  ] as const)('of %s are refused with the options %o', async (deviceType, options) => {
    await expect(startTerminal({deviceType, options})).rejects.toMatchObject({code: 9001});
  });
});

describe('streams', () => {
  it.each(TYPES.flatMap((type) => [1, 7, 64].map((size) => [type, size] as const)))(
    '%s: commands in pieces of %i bytes get the same answers',
    async (type, size) => {
      const {client, terminal} = await both({deviceType: type});
      const command = WIRES[type].command(READS[type]);
      for (let i = 0; i < 3; i++) {
        for (let at = 0; at < command.length; at += size) {
          client.socket.write(command.subarray(at, at + size));
          await new Promise(setImmediate);
        }
        let message = await client.next();
        if (message.length === 1) message = await client.next();
        expect(cardIn(type, message).pan).toBe(testCard('visa').pan);
      }
      expect(terminal.commands()).toHaveLength(3);
    },
  );

  it.each(TYPES)('%s: joined commands, with noise before, are all answered', async (type) => {
    const {client} = await both({deviceType: type});
    const command = WIRES[type].command(HARMLESS[type]);
    client.socket.write(Buffer.concat([Buffer.of(0xff, 0xfe), command, command, command]));
    const answers = [await client.next(), await client.next(), await client.next()];
    if (type !== 'ingenico-rba') expect(answers[1]).toEqual(answers[0]);
  });

  it('idtech answers a wrong CRC with status 04', async () => {
    const {client} = await both({deviceType: 'idtech'});
    const bad = WIRES.idtech.command('02-40 0A');
    bad[bad.length - 1]! ^= 1;
    client.socket.write(bad);
    expect(hex(await client.next()).slice(20, 24)).toBe('0204');
  });

  it('ingenico-rba answers a wrong LRC with NAK, and the third with EOT', async () => {
    const {client} = await both({deviceType: 'ingenico-rba'});
    const bad = WIRES['ingenico-rba'].command('23.');
    bad[bad.length - 1]! ^= 1;
    for (const byte of [0x15, 0x15, 0x04, 0x15]) {
      client.socket.write(bad);
      expect(await client.next()).toEqual(Buffer.of(byte));
    }
  });

  it('ingenico-rba sends its answer three times at most', async () => {
    const {client} = await both({deviceType: 'ingenico-rba'});
    client.send('23.');
    expect(await client.next()).toEqual(Buffer.of(0x06));
    const first = await client.next();
    for (const expected of [first, first, Buffer.of(0x04)]) {
      client.socket.write(Buffer.of(0x15));
      expect(await client.next()).toEqual(expected);
    }
    client.socket.write(Buffer.of(0x15));
    expect((await client.rest()).length).toBe(0);
  });

  it('hold a frame of at most 64 KiB, and go on after a longer one', async () => {
    const {client} = await both({deviceType: 'ingenico-rba'});
    client.socket.write(Buffer.concat([Buffer.from('\x0223.'), Buffer.alloc(200_000, 0x41)]));
    client.send('11.');
    for (let said = ''; !said.includes('\x0211.00\x03'); ) said = (await client.next()).toString();
  });

  it('do not pile up for a program that does not read', async () => {
    const terminal = {
      settings: {table: idtechTable, simulation: {}},
      take: () => ({}),
      modeOf: () => 'swiped',
    };
    const reading = Object.assign(terminal, {nextRead: () => Buffer.alloc(512)});
    const most = 16_384;
    // Keeps what is written, as a socket does whose program does not read.
    const socket = new Duplex({read: () => {}, write: () => {}, writableHighWaterMark: most});
    void new TerminalSession(reading as never, socket as Socket).run();
    socket.push(Buffer.concat(Array(500).fill(WIRES.idtech.command('02-40 0A'))));
    await expect.poll(() => socket.writableLength).toBeGreaterThanOrEqual(most);
    for (let i = 0; i < 100; i++) await new Promise(setImmediate);
    expect(socket.writableLength).toBeLessThan(most + 2048);
    socket.destroy();
  });

  it('beyond sixteen are closed at once', async () => {
    const terminal = await start({deviceType: 'idtech'});
    const clients: Client[] = [];
    for (let i = 0; i < 17; i++) clients.push(await connectTo(terminal, 'idtech'));
    await expect.poll(() => clients.filter(({isClosed}) => isClosed).length).toBe(1);
  });
});

describe('faults', () => {
  const faults = (fault: TerminalFault) => TYPES.map((type) => [fault, type] as const);
  /** What comes for commands that are sent together, on a connection of their own. */
  async function comes(terminal: TestTerminal, type: Type, ...sent: Buffer[]): Promise<Buffer> {
    const client = await connectTo(terminal, type);
    client.socket.write(Buffer.concat(sent));
    return client.rest();
  }
  async function faulty(fault: TerminalFault, type: Type, times = 1) {
    const terminal = await start({deviceType: type, damage: 'repeated-counter'});
    const read = WIRES[type].command(READS[type]);
    const sound = await comes(terminal, type, read);
    terminal.answer({answer: {fault}, times});
    const ask = (...more: Buffer[]) => comes(terminal, type, read, ...more);
    return {terminal, read, ask, sound, ack: type === 'ingenico-rba' ? 1 : 0};
  }

  it.each(faults('silence'))(
    '%s of %s: nothing comes, then the usual answer',
    async (fault, type) => {
      const {ask, sound} = await faulty(fault, type);
      expect(await ask()).toHaveLength(0);
      expect(await ask()).toEqual(sound);
    },
  );

  it.each(faults('nak'))('%s of %s: so many NAKs, then the usual answer', async (fault, type) => {
    const {ask, read, sound} = await faulty(fault, type, 2);
    expect(await ask(read, read)).toEqual(Buffer.concat([Buffer.of(0x15, 0x15), sound]));
  });

  it.each(faults('half'))('%s of %s: the first half comes', async (fault, type) => {
    const {ask, sound, ack} = await faulty(fault, type);
    const part = await ask();
    expect(part.length - ack).toBe((sound.length - ack) >> 1);
    expect(sound.subarray(0, part.length)).toEqual(part);
  });

  it.each(faults('noise'))('%s of %s: bytes come before the message', async (fault, type) => {
    const {ask, sound, ack} = await faulty(fault, type);
    const noisy = await ask();
    expect(noisy.length).toBeGreaterThan(sound.length);
    expect(noisy.subarray(ack - sound.length)).toEqual(sound.subarray(ack));
  });

  it.each(faults('doubled'))('%s of %s: the message comes twice', async (fault, type) => {
    const {ask, sound, ack} = await faulty(fault, type);
    expect(await ask()).toEqual(Buffer.concat([sound, sound.subarray(ack)]));
  });

  it.each(faults('wrong-lrc'))('%s of %s: only the check differs', async (fault, type) => {
    const {ask, sound, ack} = await faulty(fault, type);
    // A program that acknowledges asks again, and gets the right message.
    const came = await ask(Buffer.alloc(ack, 0x15));
    const bad = came.subarray(0, sound.length);
    expect(bad.subarray(0, -1)).toEqual(sound.subarray(0, -1));
    expect(() => WIRES[type].length(bad.subarray(ack))).toThrow(/wrong (?:LRC|CRC)/);
    expect(came.subarray(sound.length)).toEqual(sound.subarray(ack === 0 ? sound.length : ack));
  });

  it.each(faults('slow'))('%s of %s: seven bytes at a time', async (fault, type) => {
    const {terminal, sound} = await faulty(fault, type);
    const client = await connectTo(terminal, type);
    const sizes: number[] = [];
    client.socket.on('data', ({length}) => sizes.push(length));
    client.send(READS[type]);
    expect(await client.rest()).toEqual(sound);
    // A busy machine may join pieces.
    expect(sizes.length).toBeGreaterThan(sound.length / 7 / 4);
  });

  it.each(faults('drop'))('%s of %s: the connection is closed', async (fault, type) => {
    const {ask, terminal} = await faulty(fault, type);
    await ask();
    expect(terminal.commands().at(-1)).toMatchObject({fault});
  });
});

describe('the queue', () => {
  it('gives a card, a mode and a damage to the commands that match, in order', async () => {
    const {terminal, client} = await both({deviceType: 'miura'});
    terminal.answer({match: {command: 'D2 5A'}, answer: {card: 'amex'}});
    terminal.answer({answer: {card: 'mastercard', mode: 'emv'}, times: 2});
    terminal.answer({answer: {mode: 'emv', damage: 'wrong-key'}});
    const asked = [];
    for (const command of ['DE D1 00 00', 'D2 01 00 00', 'D2 5A 00 00', 'DE C1 00 00']) {
      const message = await client.ask(command);
      if (message.length > 6) asked.push(cardIn('miura', message).pan);
    }
    const [amex, mastercard] = [testCard('amex').pan, testCard('mastercard').pan];
    expect(asked).toEqual([mastercard, amex, mastercard]);
    const read = await client.ask('DE D1 00 00');
    expect(() => cardIn('miura', read)).toThrow(expect.objectContaining({code: 2601}));
    expect(terminal.answers()).toEqual([]);
  });

  it('lets a command wait for a card: idtech gives up after its time, with status 08', async () => {
    const {terminal, client} = await both({deviceType: 'idtech'});
    terminal.answer({answer: {card: 'none'}, times: 2});
    const begun = performance.now();
    expect(hex(await client.ask('02-40 01')).slice(20, 24)).toBe('0208');
    expect(performance.now() - begun).toBeGreaterThan(900);
    client.send('02-40 0A');
    expect(hex(await client.ask('05-01')).slice(20, 24)).toBe('0500');
    expect(await client.rest()).toHaveLength(0);
  });

  it('presents a card late, and other commands are answered meanwhile', async () => {
    const {terminal, client} = await both({deviceType: 'miura'});
    terminal.answer({match: {command: 'DE D1'}, answer: {latency: 400}});
    client.send('DE D1 00 00');
    expect(hex(await client.ask('D2 01 00 00'))).toBe('010002900093');
    expect(cardIn('miura', await client.next()).pan).toBe(testCard('visa').pan);
  });

  it('is cancelled by 15. of ingenico-rba: 23. ends with exit type 2', async () => {
    const {terminal, client} = await both({deviceType: 'ingenico-rba'});
    terminal.answer({match: {command: '23.'}, answer: {card: 'none'}});
    client.send('23.');
    expect(await client.next()).toEqual(Buffer.of(0x06));
    client.send('15.0');
    expect(await client.next()).toEqual(Buffer.of(0x06));
    expect((await client.next()).toString('latin1')).toContain('\x0223.2\x03');
    expect((await client.next()).toString('latin1')).toContain('\x0215.2\x03');
  });

  it.each([
    [{}, /answer/],
    [{answer: {}}, /expected card, mode, damage, fault or latency/],
    [{answer: {fault: 'loud'}}, /answer\.fault/],
    [{answer: {card: 'bush-league'}}, /answer\.card/],
    [{answer: {latency: -1}}, /latency/],
    [{answer: {card: 'visa'}, match: {command: '18-01'}}, /reads no card/],
    [{answer: {card: 'visa'}, match: {command: '99-99'}}, /match\.command: expected 18-01 or /],
    [{answer: {mode: 'emv'}, match: {reference: 'x'}}, /match/],
    [{answer: {card: 'visa'}, times: 0}, /times/],
  ])('refuses %j', async (order, detail) => {
    const terminal = await start({deviceType: 'idtech'});
    const add = () => terminal.answer(order as Parameters<TestTerminal['answer']>[0]);
    expect(add).toThrow(PaylensError);
    expect(add).toThrow(
      expect.objectContaining({code: 2005, detail: expect.stringMatching(detail)}),
    );
  });
});

describe.each(TYPES)('the commands of %s', (deviceType) => {
  it('are whole in the answer to one that it does not know', async () => {
    const terminal = await start({deviceType});
    const order = {match: {command: '99'}, answer: {card: 'amex'}};
    const {errMessage} = errorObjectOf(errorOf(() => terminal.answer(order)));
    expect(errMessage).toContain('match.command: expected ');
    expect(errMessage).not.toContain('*');
  });
});

describe('startTerminal', () => {
  it.each([
    [{deviceType: 'verifone'}, 9001],
    [{deviceType: 'idtech', port: 70_000}, 9001],
    [{deviceType: 'idtech', card: 'nobody'}, 9001],
    [{deviceType: 'idtech', ksn: 'XX'}, 2400],
    [{deviceType: 'idtech', cards: 'visa'}, 9001],
    [{deviceType: 'idtech', keys: [{key: 'zz'}]}, 9015],
    [null, 9001],
  ])('refuses %j with %i', async (options, code) => {
    await expect(startTerminal(options as never)).rejects.toMatchObject({code});
  });

  it('has no second port unless it is asked for, and says when a port is taken', async () => {
    const {port, control, url, host} = await start({deviceType: 'miura'});
    expect([control, url, host]).toEqual([undefined, `tcp://127.0.0.1:${port}`, '127.0.0.1']);
    await expect(startTerminal({deviceType: 'miura', port})).rejects.toMatchObject({code: 9020});
    const busy = {deviceType: 'miura', port, controlPort: 0} as const;
    await expect(startTerminal(busy)).rejects.toMatchObject({code: 9020});
  });

  it('encrypts under keys of the suite', async () => {
    const keys = [{key: '00112233445566778899AABBCCDDEEFF', ksnPrefix: 'FFFF987654'}];
    const {client} = await both({deviceType: 'miura', keys});
    const read = await client.ask('DE D1 00 00');
    expect(() => cardIn('miura', read)).toThrow(expect.objectContaining({code: 2601}));
  });

  it('ends its connections when it is closed, whatever they wait for', async () => {
    const {terminal, client} = await both({deviceType: 'ingenico-rba'});
    terminal.answer({answer: {card: 'none'}});
    client.send('23.');
    await client.next();
    await terminal.close();
    open = open.filter((one) => one !== terminal);
    await expect.poll(() => client.isClosed).toBe(true);
  });

  it('answers what was asked before the input ended', async () => {
    const {terminal, client} = await both({deviceType: 'idtech'});
    terminal.answer({answer: {latency: 200}});
    client.socket.end(WIRES.idtech.command('02-40 0A'));
    expect(cardIn('idtech', await client.next()).pan).toBe(testCard('visa').pan);
    await expect.poll(() => client.isClosed).toBe(true);
  });
});
