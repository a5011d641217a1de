interface HelpTopic {
  readonly about: string;
  readonly rows: readonly (readonly [term: string, meaning: string])[];
}

/** What `paylens help` explains besides commands. */
export const HELP_TOPICS: ReadonlyMap<string, HelpTopic> = new Map([
  [
    'exit-codes',
    {
      about: 'List the exit codes of all commands.',
      rows: [
        ['0', 'done, or nothing changed after "no" to a question'],
        ['1', 'internal error (a bug in paylens)'],
        ['2', 'wrong usage'],
        ['3', 'keyfile or key error'],
        ['4', 'payload not readable or not decryptable'],
        ['5', 'authentication refused'],
        ['6', 'network or endpoint'],
        [
          '7',
          'a check did not pass: `verify`, `sign --check`, a batch with failed lines, `listen` with failed reads',
        ],
        ['130', 'interrupted'],
      ],
    },
  ],
  [
    'variables',
    {
      about: 'List the environment variables that paylens reads.',
      rows: [
        ['PAYLENS_KEYFILE', 'keyfile, where --keyfile is not given'],
        ['PAYLENS_PASSPHRASE', 'passphrase of the keyfile'],
        ['PAYLENS_IDENTITY_FILE', 'age identity file of the keyfile'],
        ['PAYLENS_PARTNER_KEY', 'partnerKey for `sign` and `send`'],
        ['PAYLENS_SHARED_KEY', 'shared key for `sign` and `send`'],
        ['PAYLENS_REPLAY_STORE', 'Redis or Valkey URL of the replay store of `serve`'],
        ['PAYLENS_TRACE', '1: errors show where in the code they come from'],
        ['HTTPS_PROXY', 'proxy of `send` and `verify` to an https endpoint'],
        ['HTTP_PROXY', 'the same to another endpoint, and without HTTPS_PROXY to any'],
        ['NO_PROXY', 'hosts that are reached without it'],
        ['NODE_EXTRA_CA_CERTS', 'file with a CA certificate that is also trusted'],
        [
          'XDG_CONFIG_HOME',
          'directory of the default keyfile and the profiles; default: ~/.config',
        ],
        ['NO_COLOR', 'any value: no colours'],
        ['FORCE_COLOR', '1: also colours without a terminal'],
        ['COLUMNS', 'width of a terminal that does not know its own'],
      ],
    },
  ],
]);
