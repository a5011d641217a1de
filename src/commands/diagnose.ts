import {durationFlag} from '../cli/flags/duration-flag.js';
import {flag} from '../cli/flags/flag.js';
import {payloadArgs, payloadFlags, terminalFlag} from '../cli/input/payload-flags.js';
import {readInput} from '../cli/input/read-input.js';
import {keyFlags} from '../cli/keyfile/key-flags.js';
import {note, printJson, printResult, progress} from '../cli/output/output.js';
import {TerminalCommand} from '../cli/terminal-command.js';

/**
 * Finds the key and settings that decrypt a payload or ciphertext, proves them, and names the
 * mistake.
 */
export default class Diagnose extends TerminalCommand {
  static override description = [
    'Find out why a payload or ciphertext does not decrypt.',
    'Pass a payload, bare ciphertext, or a JSON case with the members payload, ciphertexts (name, hex), ksn, iv, keys (kind: bdk, ik, working, component or unknown; hex) and pan; all are optional. The keys in the keyfile and the published test keys are always tried.',
  ].join('\n');
  static override args = payloadArgs;
  static override flags = {
    ...payloadFlags,
    ...terminalFlag,
    iv: flag.text('HEX', 'IV, if the data has one'),
    expected: flag.texts('TEXT', 'how the plaintext begins, as text or hex (repeatable)'),
    'time-limit': durationFlag({
      description: 'search time limit',
      default: 10_000,
      max: 3_600_000,
    }),
    explain: flag.on('also show what is true of every such read, besides mistakes and settings'),
    threads: flag.defaulted('N', 'number of search threads', {default: 1, min: 1, max: 64}),
    ...keyFlags(),
  };
  static override examples = [
    '<%= config.bin %> sample idtech-private-key | <%= config.bin %> <%= command.id %> --test-keys',
    '<%= config.bin %> <%= command.id %> C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12 --ksn 9876543210E00008 --test-keys',
    '<%= config.bin %> <%= command.id %> read.txt --key-file bdk.hex --expected %B41111111',
    '<%= config.bin %> <%= command.id %> case.json --json --reveal --time-limit 30s --threads 2',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parseWithTerminals(Diagnose);
    const input = await readInput({...flags, argument: args.payload});
    const {readCase, undoCase} = await import('../cli/diagnosis/read-case.js');
    const given = await readCase(input, input === (flags.payload ?? args.payload), flags);
    const plain = await undoCase(given, input, flags);
    const {runDiagnosis} = await import('../cli/diagnosis/run-diagnosis.js');
    const {terminals, terminal: modules} = flags;
    const found = await runDiagnosis(plain, {
      terminals,
      modules,
      budgetMs: flags['time-limit'],
      workers: flags.threads,
      onProgress: (stage, tried) => progress(`${stage}: ${tried.toLocaleString('en')} trials`),
    });
    progress('');
    const {inGivenWords} = await import('../cli/diagnosis/given-words.js');
    const report = inGivenWords({input, argument: args.payload, flags})(found);
    const {maskReport} = await import('../diagnosis/answer/mask-report.js');
    const shown = flags.reveal ? report : maskReport(report, terminals);
    if (flags.json) {
      const {diagnosisJson} = await import('../diagnosis/answer/diagnosis-json.js');
      printJson(diagnosisJson(shown, flags.reveal));
    } else {
      const {diagnosisText} = await import('../cli/diagnosis/diagnosis-text.js');
      printResult(diagnosisText(shown, flags));
      if (report.solved && !flags.reveal) note('Card data is masked; use --reveal to show it.');
    }
    if (!report.solved) process.exitCode = NOT_SOLVED;
  }
}

/** The exit code of payloads that cannot be decrypted. */
const NOT_SOLVED = 4;
