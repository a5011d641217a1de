import type {NextStep} from '../../diagnosis/findings/next-step.js';

/** The shell command that decrypts the case as diagnosed. */
export function commandOf({request, keys}: NextStep): string {
  const {deviceType, devicePayload, ksn, iv} = request;
  const words = [
    'paylens decrypt',
    '--device-type',
    deviceType,
    '--payload',
    quoted(devicePayload),
  ];
  if (ksn !== undefined) words.push('--ksn', ksn);
  if (iv !== undefined) words.push('--iv', iv);
  if (keys === 'published') words.push('--test-keys');
  return words.join(' ');
}

/** What to do first if the key is not in a keyfile yet. */
export function preparationOf(next: NextStep): string | undefined {
  const {keys, kind, ksnPrefix, compatibility} = next;
  if (keys !== 'given') return undefined;
  const flags = [
    ...(kind === 'ik' ? ['--kind ik'] : []),
    ...(ksnPrefix ? [`--ksn-prefix ${ksnPrefix}`] : []),
    ...(compatibility ? ['--algorithm aes', '--compatibility'] : []),
  ];
  return ['paylens key add mine', ...flags].join(' ');
}

/** Control characters and quotes as bash reads them. */
function quoted(text: string): string {
  if (/^[\w.,:/=+%;^*?|-]+$/.test(text) && !/[;|*?^]/.test(text)) return text;
  if (!/[^\x20-\x7e]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...text].map((c) => {
    if (c === "'" || c === '\\') return `\\${c}`;
    const code = c.charCodeAt(0);
    return code >= 0x20 && code <= 0x7e ? c : `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped.join('')}'`;
}
