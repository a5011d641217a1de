import {string} from '@oclif/core/flags';
import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../cli/base-command.js';
import {durationFlag} from '../cli/flags/duration-flag.js';
import {flag} from '../cli/flags/flag.js';
import {keyfileFlags} from '../cli/keyfile/key-flags.js';
import {UNLIMITED} from '../cli/output/layout/text-width.js';
import {
  isLogOnTerminal,
  printJsonLine,
  printResult,
  resultColumns,
  warn,
} from '../cli/output/output.js';
import {readyLines} from '../cli/serve/ready-lines.js';
import {
  assertLoopback,
  assertSafeAddress,
  inspectorTokenFor,
  inspectorUrl,
  listenAddress,
  replayStoreAddress,
  warnOfVisiblePassword,
} from '../cli/serve/serve-options.js';
import {serveUntilStopped} from '../cli/serve/serve-until-stopped.js';
import {upstreamFlags, upstreamOptions} from '../cli/serve/upstream-flags.js';
import {PaylensError} from '../contract/paylens-error.js';
import {FURTHER_TYPES} from '../engine/families/registry.js';
import type {ServiceMode} from '../service/registry/registry.js';

const NO_KEYFILE = ['keyfile', 'passphrase-file', 'identity', 'devices'];

/** Serves the three endpoints until it is stopped. */
export default class Serve extends BaseCommand {
  static override description =
    'Serve the Payload Parser API.\n\n' +
    'When the service is ready, it writes one JSON line, {"url": ...}, to stdout; on a terminal ' +
    'without --json, lines to read. Logs go to stderr: readable lines on a terminal, JSON ' +
    'otherwise; with --quiet, only errors. On SIGTERM or SIGINT, requests in flight are ' +
    'completed; a second signal stops the service at once. SIGHUP reloads the keyfile, devices ' +
    'and TLS files, or stops a service whose terminal is gone. Used nonces are kept ' +
    'in memory and lost on restart, unless --replay-store names a Redis or Valkey; servers ' +
    'that share a replay store can serve the same partners. The keyfile is software-based ' +
    'protection for test keys and tools: keys of a P2PE solution belong in an HSM.';
  static override flags = {
    demo: flag.on('published test keys, a demo partner and demo devices; no keyfile', {
      exclusive: ['mock', ...NO_KEYFILE],
    }),
    mock: flag.on('no keys: every well-formed request gets a test card', {
      exclusive: ['demo', ...NO_KEYFILE],
    }),
    host: string({description: 'address to listen on', default: '127.0.0.1', helpValue: 'ADDRESS'}),
    port: flag.defaulted('N', 'port to listen on; 0 picks a free port', {
      default: 8080,
      min: 0,
      max: 65_535,
    }),
    'allowed-host': string({
      description: 'additional host name that clients use to reach the service (repeatable)',
      helpValue: 'NAME',
      multiple: true,
    }),
    'tls-cert-file': flag.text('FILE', 'TLS certificate chain (PEM)', {
      dependsOn: ['tls-key-file'],
    }),
    'tls-key-file': flag.text('FILE', 'TLS private key (PEM)', {dependsOn: ['tls-cert-file']}),
    'insecure-http': flag.on('allow plain HTTP on non-loopback addresses'),
    devices: flag.text('FILE', 'devices file (JSONL)'),
    'allow-unregistered': flag.on('accept payloads from unregistered devices'),
    'body-limit': flag.defaulted('BYTES', 'maximum request body size in bytes', {
      default: 65_536,
      min: 1024,
      // Reading a larger one would hold up other requests.
      max: 131_072,
    }),
    'max-connections': flag.integer(
      'N',
      'maximum connections; further ones are closed; default: 4096, with TLS 2048',
      {min: 1},
    ),
    'replay-store': flag.text(
      'URL',
      'Redis or Valkey URL of the replay store; default: PAYLENS_REPLAY_STORE, else in memory',
    ),
    explain: flag.on(
      'log the likely cause of each signature failure (loopback only); ' +
        'demo, mock: also in the header Paylens-Why',
    ),
    strict: flag.on('demo, mock: reject what the interface does not promise'),
    ...upstreamFlags,
    inspector: flag.on(
      'real mode: offer the inspector, a page that shows every request, at the address in the ' +
        'ready line (this machine only); demo, mock: it is always at /',
    ),
    extended: flag.on('also take the terminals beyond the interface'),
    log: flag.choice(
      ['text', 'json'] as const,
      'form of the log on stderr; default: text on a terminal, else json',
    ),
    'stop-with-stdin': flag.on(
      'stop when stdin ends, as it does when the process that started it is gone',
    ),
    'pid-file': flag.text('FILE', 'write the process id to this file while the service runs'),
    'ready-file': flag.text(
      'FILE',
      'write the ready line to this file while the service runs (mode 0600)',
    ),
    latency: durationFlag({
      description: 'demo, mock: delay before every response, such as 200ms',
      min: 0,
    }),
    'fail-rate': flag.text('SHARE', 'demo, mock: percentage of requests that fail, such as 5%'),
    now: flag.integer('UNIX_TIME', 'demo, mock: freeze the clock at this Unix time in seconds', {
      min: 0,
      max: 9_999_999_999,
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
    '<%= config.bin %> <%= command.id %> --upstream https://parser.example.com --keyfile keys.age',
    '<%= config.bin %> <%= command.id %> --keyfile keys.age --replay-store redis://127.0.0.1:6379',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(Serve);
    const mode: ServiceMode = flags.demo ? 'demo' : flags.mock || flags.replay ? 'mock' : 'real';
    assertSafeAddress({
      host: flags.host,
      tls: flags['tls-cert-file'] !== undefined,
      allowPlain: flags['insecure-http'],
    });
    assertTestMode(mode, flags);
    if (flags.explain || flags.upstream) assertLoopback(flags.host);
    const hasInspector = flags.inspector || flags.upstream;
    const inspectorToken = hasInspector ? inspectorTokenFor(mode, flags.host) : undefined;
    const registry = mode === 'real' ? await import('../cli/serve/load-registry.js') : undefined;
    const {DEMO_PARTNER} = await import('../service/registry/demo-registry.js');
    await serveUntilStopped({
      load: registry?.registryLoader(flags),
      service: {...(await serviceOptions(flags)), mode, inspectorToken},
      stopsWithStdin: flags['stop-with-stdin'] ?? false,
      files: {pidFile: flags['pid-file'], readyFile: flags['ready-file']},
      about: (url) => ({
        url,
        ...(flags.extended && {extended: true}),
        ...(hasInspector && {inspector: inspectorUrl(url, inspectorToken)}),
        ...(mode === 'real' ? {} : {partner: DEMO_PARTNER}),
      }),
      ready: (about) => {
        if (flags.json || resultColumns() === UNLIMITED) printJsonLine(about);
        else printResult(readyLines(about));
        warnOfRisks(mode, flags);
      },
    });
  }
}

type ServeFlags = InferredFlags<typeof Serve.flags & typeof Serve.baseFlags>;

async function serviceOptions(flags: ServeFlags) {
  const {parseFailShare} = await import('../service/operations/fault-settings.js');
  const {'max-connections': connections, 'fail-rate': failRate, now} = flags;
  const {'tls-cert-file': cert, 'tls-key-file': key} = flags;
  return {
    ...(await upstreamOptions(flags)),
    host: listenAddress(flags.host),
    port: flags.port,
    allowedHosts: flags['allowed-host'],
    bodyLimit: flags['body-limit'],
    ...(connections === undefined ? {} : {load: {connections}}),
    tls: cert === undefined || key === undefined ? undefined : {cert, key},
    explain: flags.explain,
    strict: flags.strict,
    extended: flags.extended,
    logForm: {
      form: flags.log ?? (isLogOnTerminal() ? ('text' as const) : ('json' as const)),
      quiet: flags.quiet ?? false,
    },
    latency: flags.latency,
    now: now === undefined ? undefined : () => now * 1000,
    fails: failRate === undefined ? undefined : parseFailShare(failRate),
    replayStore: replayStoreAddress(flags['replay-store']),
  };
}

function warnOfRisks(mode: ServiceMode, flags: ServeFlags): void {
  if (flags.extended)
    warn(`extended: also accepts terminals beyond the interface: ${FURTHER_TYPES.join(', ')}`);
  if (mode !== 'real') warn(`${mode} mode uses published test keys and offers no protection`);
  warnOfVisiblePassword(flags['replay-store']);
}

const TEST_MODE_FLAGS = ['latency', 'fail-rate', 'now', 'strict'] as const;

/** Throws 9001: a real service must not be made to fail, or use another time. */
function assertTestMode(mode: ServiceMode, flags: Readonly<Record<string, unknown>>): void {
  const given = TEST_MODE_FLAGS.find((name) => flags[name] !== undefined);
  if (mode !== 'real' || given === undefined) return;
  throw new PaylensError(9001, `--${given} requires --demo or --mock`);
}
