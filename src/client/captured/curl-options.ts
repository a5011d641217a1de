/** Short options of curl and their long names; options that this reader ignores have no long name. */
const SHORT: Readonly<Record<string, string>> = {
  d: 'data',
  F: 'form',
  G: 'get',
  H: 'header',
  I: 'head',
  K: 'config',
  T: 'upload-file',
  A: 'user-agent',
  u: 'user',
  X: 'request',
  ':': 'next',
};

/** Short options that take a value. */
const SHORT_WITH_VALUE = 'AbCcDdEeFHhKmoPQrTtUuwXxYyz';

/** Long options that take a value (`curl --help all`, 7.88 to 8.17). */
const WITH_VALUE = new Set(
  [
    'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config',
    'connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data',
    'data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr',
    'dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save',
    'expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port',
    'ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5',
    'hostpubsha256 hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key',
    'key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt',
    'max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir',
    'parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir',
    'proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile',
    'proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name',
    'proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0',
    'pubkey quote random-file range rate referer request request-target resolve retry retry-delay',
    'retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service',
    'socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max',
    'tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket',
    'upload-file upload-flags url url-query user user-agent variable vlan-priority write-out',
  ].flatMap((line) => line.split(' ')),
);

/** An option with its value, or an operand, which has no name. */
export interface CurlArgument {
  readonly name?: string;
  readonly value: string;
}

/** Splits the words of a curl command into options and operands, as curl does. */
export function curlArguments(words: readonly string[]): CurlArgument[] {
  const given: CurlArgument[] = [];
  const rest = words[Symbol.iterator]();
  const next = () => String(rest.next().value ?? '');
  let areOptions = true;
  for (const word of rest) {
    if (!areOptions || !word.startsWith('-') || word === '-') given.push({value: word});
    else if (word === '--') areOptions = false;
    else if (word.startsWith('--')) given.push(longOption(word.slice(2), next));
    else given.push(...shortOptions(word.slice(1), next));
  }
  return given;
}

function longOption(name: string, next: () => string): CurlArgument {
  return {name, value: WITH_VALUE.has(name) ? next() : ''};
}

function* shortOptions(letters: string, next: () => string): Generator<CurlArgument> {
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charAt(at);
    const name = SHORT[letter] ?? letter;
    if (SHORT_WITH_VALUE.includes(letter)) {
      const attached = letters.slice(at + 1);
      return yield {name, value: attached === '' ? next() : attached};
    }
    yield {name, value: ''};
  }
}
