import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {reportFailure} from '../../src/cli/report-failure.js';
import {PaylensError} from '../../src/contract/paylens-error.js';

let stdout = '';
let stderr = '';

beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += chunk;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += chunk;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

describe('reportFailure', () => {
  it('prints code, message and hint for people on stderr', () => {
    reportFailure(new PaylensError(2101, 'LRC at byte 9: expected 1F, found 00'), false);
    expect(stderr).toBe(
      'Error 2101: Payload damaged: LRC at byte 9: expected 1F, found 00\n' +
        'Capture the payload again: characters were lost, added or changed in transit.\n',
    );
  });

  it('prints only the error object on stdout with json', () => {
    reportFailure(new PaylensError(2102), true, {messageId: '1', reference: 'r'});
    expect({stderr, body: JSON.parse(stdout)}).toEqual({
      stderr: '',
      body: {
        success: false,
        errCode: 2102,
        errMessage: 'Payload truncated',
        messageId: '1',
        reference: 'r',
      },
    });
  });

  it('takes the exit code from the catalogue', () => {
    reportFailure(new PaylensError(9011), true);
    expect(process.exitCode).toBe(3);
  });

  it('makes an unknown exception error 1 without its text and its stack', () => {
    reportFailure(new TypeError('BDK 0123456789ABCDEF'), false);
    expect(stderr).toMatch(/^Error 1: Internal server error: TypeError\n[^\n]*\n$/);
  });

  it('ends with 1 on an unknown exception', () => {
    reportFailure('thrown text', false);
    expect(process.exitCode).toBe(1);
  });

  it.each(['EMFILE', 'ENFILE'])('says that files cannot be opened on %s', (code) => {
    reportFailure(Object.assign(new Error('open /secret'), {code}), false);
    expect(stderr).toMatch(/^Error 9002: Cannot read input: .* \(E[MN]FILE\)\n.*ulimit -n/);
    expect(stderr).not.toContain('/secret');
  });

  it('makes an aborted prompt error 9030', () => {
    reportFailure(Object.assign(new Error('aborted'), {name: 'ExitPromptError'}), false);
    expect(process.exitCode).toBe(130);
  });

  it('masks a card number in the message', () => {
    reportFailure(new PaylensError(2005, '4111111111111111'), false);
    expect(stderr).not.toContain('4111111111111111');
  });

  it('masks a card number in the error object', () => {
    reportFailure(new PaylensError(2005, '4111111111111111'), true);
    expect(stdout).not.toContain('4111111111111111');
  });
});
