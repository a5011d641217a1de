import {afterEach, describe, expect, it} from 'vitest';
import Serve from '../../../src/commands/serve.js';
import {LOAD_LIMITS} from '../../../src/service/http/limits.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import type {LaunchOptions} from '../../../src/service/launch-options.js';
import {demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {checkStartOptions} from '../../../src/service/start-options.js';
import type {StartServerOptions} from '../../../src/service/test-server.js';
import {hmacHeader} from '../node-signature.js';
import {exchange, post} from '../raw-http.js';

const LAUNCH: Record<keyof Omit<LaunchOptions, 'mode' | 'registry'>, true> = {
  ...{host: true, allowedHosts: true, port: true, now: true, bodyLimit: true, timeouts: true},
  ...{load: true, tls: true, latency: true, fails: true, nonces: true, replayStore: true},
  ...{writeLog: true, logForm: true, explain: true, readingWorker: true, strict: true},
  ...{extended: true, inspectorToken: true, upstream: true, record: true, recorded: true},
};
const START: Record<keyof StartServerOptions, true> = {
  ...{mode: true, port: true, partners: true, devices: true, keys: true, explain: true},
  ...{strict: true, extended: true, fail: true, now: true, latency: true, timeouts: true},
  ...{allowedHosts: true, nonces: true},
};
const PARTNER = ['partnerKey', 'sharedKey', 'encoding', 'rsaPublicKey', 'methods'];
const DEVICE = ['partnerId', 'clientId', 'status', 'firmware'];
const KEY = ['kind', 'ksnPrefix'];
/** For one that needs another oclif sees it as given, and refuses it. */
const FLAGS = Object.entries({...Serve.baseFlags, ...Serve.flags})
  .filter(([, {dependsOn}]) => dependsOn === undefined)
  .map(([name]) => name);
const NAMES = [
  ...new Set([LAUNCH, START, LOAD_LIMITS].flatMap(Object.keys)),
  ...[...PARTNER, ...DEVICE, ...KEY, ...FLAGS],
];
const PATH = '/api/v1/partner/validate';
const running: LaunchedService[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

/** What `run` gives while Object.prototype has members of these names. */
async function polluted<T>(names: readonly string[], run: () => T | Promise<T>): Promise<T> {
  const added = names.filter((name) => !(name in Object.prototype));
  for (const name of added)
    Object.defineProperty(Object.prototype, name, {value: 7, configurable: true, writable: true});
  try {
    return await run();
  } finally {
    for (const name of added) Reflect.deleteProperty(Object.prototype, name);
  }
}

describe('members of Object.prototype are no options', () => {
  it('of startServer, at any depth', async () => {
    const given = {
      partners: [{partnerId: 'A'}],
      devices: [{serial: '1'}],
      keys: [{key: '0123456789ABCDEFFEDCBA9876543210'}],
      timeouts: {headers: 1, request: 2},
    };
    const inherited = await polluted(NAMES, () => {
      const options = checkStartOptions(given);
      const objects = [options, ...[options.partners, options.devices, options.keys].flat()];
      return objects.flatMap((one) =>
        NAMES.filter((name) => !Object.hasOwn(one ?? {}, name) && Reflect.get(one ?? {}, name)),
      );
    });
    expect(inherited).toEqual([]);
    expect(checkStartOptions(given)).toEqual(given);
  });

  it('of a service: it starts and answers as ever', async () => {
    const header = hmacHeader();
    const signed = post(PATH, ['Content-Type: application/json', `Authorization: ${header}`], '{}');
    // Node itself would lose the header of this name.
    const names = Object.keys({...LAUNCH, ...LOAD_LIMITS}).filter((name) => name !== 'host');
    const answers = await polluted(names, async () => {
      const service = await launch({mode: 'demo', registry: demoRegistry()});
      running.push(service);
      return exchange(service.url, signed + signed, 2);
    });
    expect(answers.map(({status}) => status)).toEqual([200, 401]);
    expect(answers[1]?.headers.has('paylens-why')).toBe(false);
  });

  it.each(FLAGS)('of a command: --%s', async (name) => {
    class Probe extends Serve {
      seen: object | undefined;
      override async run() {
        this.seen = (await this.parse(Serve)).flags;
      }
    }
    const flagsOf = async () => {
      const command = new Probe([], {runHook: async () => ({})} as never);
      await command.run();
      return command.seen ?? {};
    };
    const usual = await flagsOf();
    const found = await polluted([name], async () => {
      const flags = {...(await flagsOf())};
      return Reflect.get(flags, name);
    });
    expect(found).toEqual(Reflect.get(usual, name));
  });
});
