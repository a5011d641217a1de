import {boolean, integer, option, string} from '@oclif/core/flags';
import {BaseCommand} from '../cli/base-command.js';
import {durationFlag} from '../cli/flags/duration-flag.js';
import {keyfileFlags} from '../cli/keyfile/key-flags.js';
import {isLogOnTerminal, printJsonLine, warn} from '../cli/output/output.js';
import type {registryLoader} from '../cli/serve/load-registry.js';
import {
  demandLoopback,
  demandSafeAddress,
  frozenClock,
  inspectorFor,
  inspectorUrl,
  listenAddress,
  replayStoreAddress,
  tlsFiles,
  warnOfVisiblePassword,
} from '../cli/serve/serve-options.js';
import {serveUntilStopped} from '../cli/serve/serve-until-stopped.js';
import {PaylensError} from '../contract/paylens-error.js';
import {FURTHER_TYPES} from '../engine/devices/registry.js';
import type {ServiceMode} from '../service/registry/registry.js';

const NO_KEYFILE = ['keyfile', 'passphrase-file', 'identity', 'devices'];

/** Hosts the three endpoints until it is told to stop. */
export default class Serve extends BaseCommand {
  static override description =
    'Serve the Payload Parser API.\n\n' +
    'When the service is ready, it writes one JSON line, {"url": ...}, to stdout. Logs go to ' +
    'stderr: readable lines on a terminal, JSON otherwise; with --quiet, only errors. On SIGTERM or SIGINT, requests in flight are completed; a second signal stops the ' +
    'service at once. SIGHUP reloads the keyfile, devices and TLS files. Used nonces are kept ' +
    'in memory and lost on restart, unless --replay-store names a Redis or Valkey; servers ' +
    'that share a replay store can serve the same partners. The keyfile is software-based ' +
    'protection for test keys and tools: keys of a P2PE solution belong in an HSM.';
  static override flags = {
    demo: boolean({
      description: 'published test keys, a demo partner and demo devices; no keyfile',
      exclusive: ['mock', ...NO_KEYFILE],
    }),
    mock: boolean({
      description: 'no keys: every well-formed request gets a test card',
      exclusive: ['demo', ...NO_KEYFILE],
    }),
    host: string({description: 'address to listen on', default: '127.0.0.1', helpValue: 'ADDRESS'}),
    port: integer({
      description: 'port to listen on; 0 picks a free port',
      default: 8080,
      helpValue: 'N',
      min: 0,
      max: 65_535,
    }),
    'allowed-host': string({
      description: 'additional host name that clients use to reach the service (repeatable)',
      helpValue: 'NAME',
      multiple: true,
    }),
    'tls-cert-file': string({
      aliases: ['tls-cert'],
      description: 'TLS certificate chain (PEM)',
      helpValue: 'FILE',
      dependsOn: ['tls-key-file'],
    }),
    'tls-key-file': string({
      aliases: ['tls-key'],
      description: 'TLS private key (PEM)',
      helpValue: 'FILE',
      dependsOn: ['tls-cert-file'],
    }),
    'insecure-http': boolean({description: 'allow plain HTTP on non-loopback addresses'}),
    devices: string({description: 'devices file (JSONL)', helpValue: 'FILE'}),
    'allow-unregistered': boolean({description: 'accept payloads from unregistered devices'}),
    'body-limit': integer({
      description: 'maximum request body size in bytes',
      default: 65_536,
      helpValue: 'BYTES',
      min: 1024,
    }),
    workers: integer({
      description: 'number of worker processes (nonces are shared)',
      helpValue: 'N',
      min: 1,
      max: 64,
    }),
    'max-connections': integer({
      description:
        'maximum connections per process; further ones are closed; default: 4096, with TLS 2048',
      helpValue: 'N',
      min: 1,
    }),
    'replay-store': string({
      description:
        'Redis or Valkey URL of the replay store; default: PAYLENS_REPLAY_STORE, else in memory',
      helpValue: 'URL',
    }),
    explain: boolean({
      description:
        'log the likely cause of each signature failure (loopback only); ' +
        'demo, mock: also in the header Paylens-Why',
    }),
    strict: boolean({description: 'demo, mock: reject what the interface does not promise'}),
    inspector: boolean({
      description:
        'real mode: offer the inspector, a page that shows every request, at the address in the ' +
        'ready line (this machine only); demo, mock: it is always at /',
    }),
    extended: boolean({
      description: 'also take the terminals beyond the interface',
    }),
    log: option({
      description: 'form of the log on stderr; default: text on a terminal, else json',
      options: ['text', 'json'] as const,
    })(),
    'stop-with-stdin': boolean({
      description: 'stop when stdin ends, as it does when the process that started it is gone',
    }),
    'pid-file': string({
      description: 'write the process id to this file while the service runs',
      helpValue: 'FILE',
    }),
    'ready-file': string({
      description: 'write the ready line to this file while the service runs (mode 0600)',
      helpValue: 'FILE',
    }),
    latency: durationFlag({
      description: 'demo, mock: delay before every response, such as 200ms',
      unit: 'ms',
      min: 0,
    }),
    'fail-rate': string({
      aliases: ['fail'],
      description: 'demo, mock: percentage of requests that fail, such as 5%',
      helpValue: 'SHARE',
    }),
    now: string({
      description: 'demo, mock: freeze the clock at this Unix time in seconds',
      helpValue: 'UNIX_TIME',
    }),
    ...keyfileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> --demo --port 0',
    '<%= config.bin %> <%= command.id %> --mock --latency 200ms --fail-rate 5%',
    '<%= config.bin %> <%= command.id %> --demo --explain --strict',
    '<%= config.bin %> <%= command.id %> --mock --port 0 --stop-with-stdin --quiet',
    '<%= config.bin %> <%= command.id %> --keyfile keys.age --devices devices.jsonl',
    '<%= config.bin %> <%= command.id %> --keyfile keys.age --inspector',
    '<%= config.bin %> <%= command.id %> --keyfile keys.age --replay-store redis://127.0.0.1:6379',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(Serve);
    const mode: ServiceMode = flags.demo ? 'demo' : flags.mock ? 'mock' : 'real';
    const tls = tlsFiles(flags);
    demandSafeAddress({
      host: flags.host,
      tls: tls !== undefined,
      allowPlain: flags['insecure-http'],
    });
    demandTestMode(mode, flags);
    if (flags.explain) demandLoopback(flags.host);
    const inspector = flags.inspector ? inspectorFor(mode, flags.host) : undefined;
    const {parseFailShare} = await import('../service/operations/fault-settings.js');
    const {DEMO_PARTNER} = await import('../service/registry/demo-registry.js');
    // Validate these here, so that errors are reported at once even if a worker uses them.
    if (flags['fail-rate'] !== undefined) parseFailShare(flags['fail-rate']);
    frozenClock(flags.now);
    const maxConnections = flags['max-connections'];
    await serveUntilStopped({
      load: mode === 'real' ? await realRegistry(flags) : undefined,
      workers: flags.workers,
      service: {
        mode,
        host: listenAddress(flags.host),
        port: flags.port,
        allowedHosts: flags['allowed-host'],
        bodyLimit: flags['body-limit'],
        ...(maxConnections === undefined ? {} : {load: {connections: maxConnections}}),
        tls,
        explain: flags.explain,
        strict: flags.strict,
        extended: flags.extended,
        inspector,
        logForm: {
          form: flags.log ?? (isLogOnTerminal() ? 'text' : 'json'),
          quiet: flags.quiet ?? false,
        },
        latency: flags.latency,
        now: flags.now,
        fail: flags['fail-rate'],
        replayStore: replayStoreAddress(flags['replay-store']),
      },
      files: {pidFile: flags['pid-file'], readyFile: flags['ready-file']},
      stopsWithStdin: flags['stop-with-stdin'] ?? false,
      about: (url) => ({
        url,
        ...(flags.extended && {extended: true}),
        ...(flags.inspector && {inspector: inspectorUrl(url, inspector)}),
        ...(mode === 'real' ? {} : {partner: DEMO_PARTNER}),
      }),
      ready: (about) => {
        printJsonLine(about);
        if (flags.extended)
          warn(
            `extended: also accepts terminals beyond the interface: ${FURTHER_TYPES.join(', ')}`,
          );
        if (mode !== 'real') warn(`${mode} mode uses published test keys and offers no protection`);
        warnOfVisiblePassword(flags['replay-store']);
      },
    });
  }
}

async function realRegistry(flags: Parameters<typeof registryLoader>[0]) {
  const loader = await import('../cli/serve/load-registry.js');
  return loader.registryLoader(flags);
}

const TEST_MODE_FLAGS = ['latency', 'fail-rate', 'now', 'strict'] as const;

/** Throws 9001: a real service must not be made to fail, or to live at another time. */
function demandTestMode(mode: ServiceMode, flags: Readonly<Record<string, unknown>>): void {
  const given = TEST_MODE_FLAGS.find((name) => flags[name] !== undefined);
  if (mode !== 'real' || given === undefined) return;
  throw new PaylensError(9001, `--${given} requires --demo or --mock`);
}
