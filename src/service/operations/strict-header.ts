/** A property as it is written, with what stands before it. */
interface Written {
  readonly before: string;
  readonly name: string;
  readonly equals: string;
  /** With its quotes. */
  readonly value: string;
}

/**
 * Says what the interface does not promise in an Authorization header that the service would
 * otherwise accept; undefined when there is nothing. No value is repeated.
 */
export function strictHeaderFault(header: string): string | undefined {
  const [, scheme = '', space = '', rest = ''] = /^(\S+)(\s+)(.*)$/s.exec(header) ?? [];
  const written = SCHEMES.find((name) => name.toLowerCase() === scheme.toLowerCase());
  if (written === undefined) return undefined;
  if (written !== scheme) return `scheme: expected ${written}, found it in another case`;
  if (space !== ' ') return 'expected one space after the scheme';
  if (written === 'Basic') return undefined;
  const properties = propertiesOf(rest);
  return properties && (spacingFault(properties) ?? FAULTS[written](properties));
}

const SCHEMES = ['Hmac', 'Rsa', 'Digest', 'Basic'] as const;
const PROPERTY = /(\s*,?\s*)([^\s=",]+)(\s*=\s*)("(?:[^"\\]|\\.)*"|[^\s",]*)/gy;

/** Undefined for a list that is malformed, which is refused as such. */
function propertiesOf(list: string): readonly Written[] | undefined {
  const found = [...list.matchAll(PROPERTY)];
  const length = found.reduce((sum, [whole]) => sum + whole.length, 0);
  if (length !== list.length) return undefined;
  return found.map(([, before = '', name = '', equals = '', value = '']) => {
    return {before, name, equals, value};
  });
}

function spacingFault(properties: readonly Written[]): string | undefined {
  for (const [index, {before, name, equals, value}] of properties.entries()) {
    const lower = name.toLowerCase();
    if (name !== lower) return `${knownName(lower)}: expected its name in lower case`;
    if (equals !== '=') return `${knownName(name)}: unexpected space beside =`;
    if (index > 0 && before !== ', ' && before !== ',')
      return `${knownName(name)}: expected a comma and at most one space before it`;
    if (value.includes('\\')) return `${knownName(name)}: unexpected backslash`;
  }
  return undefined;
}

const SIGNATURE = ['username', 'nonce', 'timestamp', 'response'];
const DIGEST = ['realm', 'uri', 'qop', 'nc', 'cnonce', 'algorithm', 'opaque', 'userhash'];

/** Other names could be anything. */
function knownName(name: string): string {
  return [...SIGNATURE, ...DIGEST].includes(name) ? name : 'a property';
}

type Check = (properties: readonly Written[]) => string | undefined;

const FAULTS: Readonly<Record<Exclude<(typeof SCHEMES)[number], 'Basic'>, Check>> = {
  Hmac: signatureFault,
  Rsa: signatureFault,
  Digest: digestFault,
};

function signatureFault(properties: readonly Written[]): string | undefined {
  const names = properties.map(({name}) => name);
  const isComplete = SIGNATURE.every((name) => names.includes(name));
  if (isComplete && names.join() !== SIGNATURE.join())
    return `expected ${SIGNATURE.join(', ')} in this order`;
  if (textOf(properties, 'timestamp').startsWith('"'))
    return 'timestamp: expected an unquoted integer, found quotes';
  const response = textOf(properties, 'response').slice(1, -1);
  if (/^(?:[\da-f]*|[\dA-F]*)$/.test(response)) return undefined;
  return 'response: expected hex digits in one case';
}

const UNQUOTED = ['algorithm', 'qop', 'nc'];
const NEVER_GIVEN = ['opaque', 'userhash'];

function digestFault(properties: readonly Written[]): string | undefined {
  const quoted = UNQUOTED.find((name) => textOf(properties, name).startsWith('"'));
  if (quoted !== undefined) return `${quoted}: expected no quotes around it`;
  const extra = NEVER_GIVEN.find((name) => textOf(properties, name) !== '');
  if (extra !== undefined) return `${extra}: the challenge has none`;
  if (textOf(properties, 'qop') === 'auth-int') return 'qop: expected auth, as in the challenge';
  if (/[A-F]/.test(textOf(properties, 'nc'))) return 'nc: expected hex digits in lower case';
  if (textOf(properties, 'uri').startsWith('"/')) return undefined;
  return textOf(properties, 'uri') === '' ? undefined : 'uri: expected a path';
}

function textOf(properties: readonly Written[], name: string): string {
  return properties.find((property) => property.name === name)?.value ?? '';
}
