/** The pages whose transcripts run, by the test file that runs them beside the others. */
export const GUIDES = {
  payloads: [
    ...(['docs/decrypt.md', 'docs/diagnose.md', 'docs/simulate.md'] as const),
    ...(['docs/scripting.md', 'docs/own-terminal.md'] as const),
    ...(['docs/explore.md', 'docs/aws-payment-cryptography.md'] as const),
  ],
  keys: ['docs/keys.md'],
  client: ['docs/sign-and-send.md', 'docs/verify.md'],
  service: [
    'docs/serve.md',
    'docs/run-as-a-service.md',
    'docs/test-suites.md',
    'docs/listen.md',
    'docs/upstream.md',
    'docs/virtual-terminals.md',
  ],
} as const;

/** The pages with a test file for vitest. */
export const SUITE_PAGES = [
  'README.md',
  'docs/test-suites.md',
  'docs/library.md',
  'docs/own-terminal.md',
  'docs/virtual-terminals.md',
];

/** The pages for users that are written by hand. */
export const HAND_WRITTEN = ['README.md', 'docs/library.md', ...Object.values(GUIDES).flat()];
