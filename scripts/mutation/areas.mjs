// The areas for mutation: the files that are changed, and the tests that should fail then.
import {readdirSync} from 'node:fs';

/** Tests that read whole payloads. */
const PAYLOADS = [
  'test/engine/*.test.ts',
  ...['simulate', 'every-setting', '*-real-reads', 'terminal-options'].map(
    (name) => `test/simulator/${name}.test.ts`,
  ),
];

const engine = (folder, ...tests) => ({
  src: [`src/engine/${folder}/**`],
  tests: [`test/engine/${folder}/**`, ...tests, ...PAYLOADS],
});

const folder = (name, ...tests) => ({
  src: [`src/${name}/**`],
  tests: [`test/${name}/**`, ...tests],
});

const FAMILIES = readdirSync('src/engine/families', {withFileTypes: true})
  .filter((entry) => entry.isDirectory())
  .map(({name}) => [
    name,
    {
      src: [`src/engine/families/${name}/**`],
      tests: ['test/engine/families/**', `test/simulator/${name}*`, ...PAYLOADS],
    },
  ]);

export const AREAS = {
  ...Object.fromEntries(FAMILIES),
  dukpt: engine('dukpt', 'test/engine/cipher/**'),
  card: engine('card'),
  tlv: engine('tlv'),
  forms: {
    src: ['src/engine/forms/**', '!src/engine/forms/one-read/**'],
    tests: ['test/engine/forms/**', 'test/engine/families/**', ...PAYLOADS],
  },
  'one-read': {src: ['src/engine/forms/one-read*'], tests: ['test/engine/forms/**', ...PAYLOADS]},
  own: engine('own', 'test/library/**', 'test/cli/own-terminal.test.ts'),
  input: {
    src: ['src/input/**', 'src/engine/paste/**'],
    tests: ['test/input/**', 'test/engine/paste/**', 'test/cli/input/**'],
  },
  masks: {
    src: ['src/contract/masks/**', 'src/contract/redact*'],
    tests: ['test/contract/**'],
  },
  contract: folder('contract', 'test/service/requests*', 'test/engine/samples.test.ts'),
  auth: folder(
    'auth',
    'test/service/operations/**',
    'test/service/requests-authentication.test.ts',
  ),
  keyfile: {
    src: ['src/keyfile/**', 'src/files/**'],
    tests: ['test/keyfile/**', 'test/files/**', 'test/commands/keyfile/**'],
  },
  diagnosis: {
    src: ['src/diagnosis/search/**', 'src/diagnosis/plaintext/**'],
    tests: ['test/diagnosis/**'],
  },
  service: {
    src: ['src/service/http/refusals.ts', 'src/service/registry/**'],
    tests: ['test/service/registry/**', 'test/service/http/**', 'test/service/requests.test.ts'],
  },
  inspector: {
    src: ['src/service/inspector/**', 'src/page/inspector/**'],
    tests: ['test/service/inspector/**', 'test/page/**'],
  },
  batch: {src: ['src/cli/batch/**'], tests: ['test/cli/batch/**', 'test/commands/batch.test.ts']},
};
