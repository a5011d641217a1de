// What can be mutated: the files of an area, the tests beside them, and the wider tests that see
// what these let through.

/** Tests that answer whole payloads, but for those that try every reader with thousands. */
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
];

/** `quick`: none of its tests starts a process, so they run without Vitest's runner. */
export const AREAS = {
  dukpt: {
    src: ['src/engine/dukpt'],
    near: ['test/engine/dukpt'],
    far: ['test/engine/cipher', ...PAYLOADS],
    quick: true,
  },
  card: {
    src: ['src/engine/card'],
    near: ['test/engine/card'],
    far: PAYLOADS,
    quick: true,
  },
  tlv: {src: ['src/engine/tlv'], near: ['test/engine/tlv'], far: PAYLOADS, quick: true},
  idtech: {
    src: ['src/engine/devices/idtech'],
    near: ['test/engine/devices/idtech'],
    far: [...PAYLOADS, ...SIMULATED, 'test/simulator/idtech'],
    quick: true,
  },
  verifone: {
    src: ['src/engine/devices/verifone'],
    near: ['test/engine/devices/verifone'],
    far: [...PAYLOADS, ...SIMULATED],
    quick: true,
  },
  auth: {
    src: ['src/auth'],
    near: ['test/auth'],
    far: ['test/service/requests-authentication.test.ts', 'test/service/operations'],
  },
  keyfile: {
    src: ['src/keyfile', 'src/files'],
    near: ['test/keyfile', 'test/files'],
    far: ['test/commands/keyfile'],
  },
  diagnosis: {src: ['src/diagnosis'], near: ['test/diagnosis'], far: ['test/commands/diagnose']},
  service: {
    src: ['src/service/http/refusals.ts', 'src/service/registry'],
    near: ['test/service/registry', 'test/service/http/'],
    far: [
      'test/cli/serve',
      'test/service/requests.test.ts',
      'test/service/limits.test.ts',
      'test/service/http-framing.test.ts',
      'test/commands/keyfile/device.test.ts',
    ],
  },
  batch: {
    src: ['src/cli/batch'],
    near: ['test/cli/batch'],
    far: ['test/commands/batch.test.ts'],
    build: true,
  },
  contract: {
    src: ['src/contract'],
    near: ['test/contract'],
    far: ['test/service/requests', 'test/engine/samples.test.ts'],
  },
};
