// The areas for mutation: the files of an area, and the tests that should detect mutants in them.

/** Tests that process whole payloads, except those that try every reader with thousands. */
const PAYLOADS = [
  'test/engine/devices',
  ...['binary-payloads', 'extra-vectors', 'inspection', 'masked-copies', 'one-card'].map(named),
  ...['process-payload', 'published-reads', 'recognise', 'samples', 'several-reads'].map(named),
  ...['shapes', 'terminal', 'text-members', 'trace'].map(named),
];
const SIMULATED = ['simulate', 'terminal-options', 'terminal-real-reads', 'test-cards'].map(
  (name) => `test/simulator/${name}`,
);

function named(name) {
  return `test/engine/${name}`;
}

export const LONG = [
  'one-read',
  'doubled-parts',
  'damaged-payloads',
  'hostile-payloads',
  'feeding',
  'wrong-keys',
  'random',
  'serve-workers',
  'killed-save',
  'anchors',
  'gaps',
  'true-words',
  'keyboard-layouts',
];

/**
 * `quick`: tests that run in one process, without Vitest's runner. `slow`: tests that need the
 * runner because they replace modules or start processes; they run afterwards, and with `build` on
 * a build.
 */
export const AREAS = {
  dukpt: {
    src: ['src/engine/dukpt'],
    quick: ['test/engine/dukpt', 'test/engine/cipher', ...PAYLOADS],
  },
  card: {src: ['src/engine/card'], quick: ['test/engine/card', ...PAYLOADS]},
  tlv: {src: ['src/engine/tlv'], quick: ['test/engine/tlv', ...PAYLOADS]},
  idtech: {
    src: ['src/engine/devices/idtech'],
    quick: [...PAYLOADS, ...SIMULATED, 'test/simulator/idtech'],
  },
  verifone: {
    src: ['src/engine/devices/verifone'],
    quick: [...PAYLOADS, ...SIMULATED, 'test/simulator/verifone'],
  },
  auth: {
    src: ['src/auth'],
    slow: ['test/auth', 'test/service/requests-authentication.test.ts', 'test/service/operations'],
  },
  keyfile: {
    src: ['src/keyfile', 'src/files'],
    quick: ['test/keyfile', 'test/files', 'test/commands/keyfile'],
    slow: ['test/files', 'test/keyfile/age-format', 'test/commands/keyfile'],
  },
  diagnosis: {
    src: ['src/diagnosis/search', 'src/diagnosis/plaintext'],
    quick: ['test/diagnosis'],
  },
  service: {
    src: ['src/service/http/refusals.ts', 'src/service/registry'],
    slow: [
      'test/service/registry',
      'test/service/http/',
      'test/cli/serve',
      'test/service/requests.test.ts',
      'test/service/limits.test.ts',
      'test/service/http-framing.test.ts',
      'test/commands/keyfile/device.test.ts',
    ],
  },
  batch: {
    src: ['src/cli/batch'],
    quick: ['test/cli/batch', 'test/commands/batch.test.ts'],
    slow: [
      'test/cli/batch/answerers.test.ts',
      'test/commands/batch.test.ts',
      'test/commands/trace.test.ts',
    ],
    build: true,
  },
  contract: {
    src: ['src/contract'],
    slow: ['test/contract', 'test/service/requests', 'test/engine/samples.test.ts'],
  },
};
